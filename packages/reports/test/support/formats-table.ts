import { formats } from "../../src/index.ts";
import { seenTools } from "./seen-tools.ts";

const begin = "<!-- the table of formats: scripts/write-formats-table.ts -->\n";
const end = "\n<!-- its end -->";

/** The README with the table of every format, what it feeds, and the tools and versions whose reports were read. */
export function withFormatsTable(readme: string): string {
  const [before, rest = ""] = readme.split(begin, 2);
  const after = rest.slice(rest.indexOf(end));
  return `${before}${begin}${formatsTable()}${after}`;
}

function formatsTable(): string {
  const rows = formats.map(({ name, title, time, metric, metrics, problems = [] }) => [
    `\`${name}\``,
    title,
    metric ?? "",
    metrics.filter((other) => other !== metric).join(", "),
    problems.join(", "),
    time === "none" ? "" : time.fields.map((field) => `\`${field}\``).join(", "),
    seenOf(name),
  ]);
  const head = [
    "format",
    "report",
    "feeds",
    "when it is named",
    "problems of",
    "states its time by",
    "tools and versions seen",
  ];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** The versions of each tool behind its name. */
function seenOf(format: string): string {
  const versions = new Map<string, string[]>();
  for (const seen of seenTools[format] ?? []) {
    const [, tool = seen, version] = /^(.*?)(?: (\S*\d\S*))?$/.exec(seen) ?? [];
    const known = versions.get(tool) ?? [];
    versions.set(tool, version === undefined ? known : [...known, version]);
  }
  return [...versions].map(([tool, all]) => [tool, all.join(", ")].filter(Boolean).join(" ")).join("; ");
}
