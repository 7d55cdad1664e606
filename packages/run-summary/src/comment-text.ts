import { link } from "./markdown.ts";
import { type Summary, summaryMarkdown } from "./summary.ts";

/** GitHub takes 65,536 characters of a comment. */
const maxBody = 60_000;

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
