import { createHash } from "node:crypto";
import { printable } from "@maturity/command-line/terminal";
import type { Target } from "@maturity/core";
import { link } from "../summary/markdown.ts";
import { type Summary, summaryMarkdown } from "../summary/summary.ts";

/** GitHub takes 65,536 characters of a comment. */
const maxBody = 60_000;
/** GitHub takes 140 characters of a status. */
const maxStatus = 140;
/** GitLab takes 255 characters of an address. */
const maxLink = 255;

/** The first line of a comment, which no page shows. By a hash, since a name could end an HTML comment. */
export function markerOf({ area, team, app, env }: Target, name: string): string {
  const key = createHash("sha256").update(JSON.stringify([area, team, app, env, name]));
  return `<!-- maturity ${key.digest("hex").slice(0, 32)} -->`;
}

/**
 * The comment in Markdown: the summary with its reasons folded, and of which commit and run it is. Of a long one the
 * first scores are left.
 */
export function commentText(marker: string, summary: Summary, origin: { commit?: string; run?: string }): string {
  const { commit, run } = origin;
  const of = [commit && `of commit \`${commit.slice(0, 12)}\``, run && `by ${link("this run", run)}`].filter(Boolean);
  const end = of.length === 0 ? "" : `<sub>${of.join(", ")}</sub>\n`;
  const texts = [50, 10, 2].map((most) => summaryMarkdown(summary, { most, isFolded: true }));
  const text = texts.find(({ length }) => length <= maxBody) ?? `### Maturity: ${summary.title}\n\n`;
  return `${marker}\n${text}${end}`;
}

/** The conditions that do not hold, or else all, in the length that every forge takes. */
export function statusText(title: string, verdicts: Summary["verdicts"] = []): string {
  const failed = verdicts.filter(({ met }) => !met);
  const shown = failed.length > 0 ? failed : verdicts;
  const text = [...printable(`${title}: ${shown.map(({ text }) => text).join("; ")}`)];
  return text.length > maxStatus ? `${text.slice(0, maxStatus - 1).join("")}…` : text.join("");
}

/** The first of these that every forge takes as the link of a status. */
export function statusLink(...addresses: readonly (string | undefined)[]): string | undefined {
  return addresses.find((address) => address && address.length <= maxLink && /^https?:/.test(address));
}
