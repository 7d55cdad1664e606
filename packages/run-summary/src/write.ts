import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Output } from "@maturity/command-line/output";
import { openMetrics } from "./open-metrics.ts";
import { type Summary, summaryMarkdown } from "./summary.ts";

/** Where a summary is written, by paths from the working directory. */
export interface Places {
  /** The file to which its Markdown is appended. */
  readonly file: string | undefined;
  /** The directory of what GitLab shows of a job. */
  readonly gitlab: string | undefined;
}

/** Writes a summary. A file that cannot be written is a warning, since the work is done. */
export async function writeTo({ file, gitlab }: Places, summary: Summary, cwd: string, output: Output): Promise<void> {
  const markdown = summaryMarkdown(summary);
  const warned = (name: string, writing: Promise<unknown>) =>
    writing.catch((error) =>
      output.warn(`${name} could not be written: ${error instanceof Error ? error.message : String(error)}`),
    );
  if (file) await warned("the summary", appendFile(resolve(cwd, file), markdown));
  if (gitlab === undefined) return;
  const files = {
    "summary.md": markdown,
    "metrics.txt": openMetrics(summary),
    "links.json": `${JSON.stringify(linksOf(summary), undefined, 2)}\n`,
  };
  await warned("the report for GitLab", writeAll(resolve(cwd, gitlab), files));
}

async function writeAll(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
}

/** Links as `artifacts:reports:annotations` of GitLab takes them. */
function linksOf({ standing }: Pick<Summary, "standing">): object {
  const url = standing?.board;
  return { Maturity: url ? [{ external_link: { label: "The application on the Board", url } }] : [] };
}
