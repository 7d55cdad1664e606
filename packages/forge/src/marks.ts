import { createHash } from "node:crypto";
import { printable } from "@maturity/command-line/terminal";
import type { Target } from "@maturity/core";

/** GitHub takes 140 characters of a status. */
const maxStatus = 140;
/** GitLab takes 255 characters of an address. */
const maxLink = 255;

/** The first line of a comment, which no page shows. By a hash, since a name could end an HTML comment. */
export function markerOf({ area, team, app, env }: Target, name: string): string {
  const key = createHash("sha256").update(JSON.stringify([area, team, app, env, name]));
  return `<!-- maturity ${key.digest("hex").slice(0, 32)} -->`;
}

/** A condition in words, and whether it holds. */
export interface Verdict {
  readonly text: string;
  readonly met: boolean;
}

/** The conditions that do not hold, or else all, in the length that every forge takes. */
export function statusText(title: string, verdicts: readonly Verdict[] = []): string {
  const failed = verdicts.filter(({ met }) => !met);
  const shown = failed.length > 0 ? failed : verdicts;
  const text = [...printable(`${title}: ${shown.map(({ text }) => text).join("; ")}`)];
  return text.length > maxStatus ? `${text.slice(0, maxStatus - 1).join("")}…` : text.join("");
}

/** The first of these that every forge takes as the link of a status. */
export function statusLink(...addresses: readonly (string | undefined)[]): string | undefined {
  return addresses.find((address) => address && address.length <= maxLink && /^https?:/.test(address));
}
