import { insteadOf } from "@maturity/command-line/did-you-mean";
import { type Flags, valuesOf } from "@maturity/command-line/flags";
import { UsageError } from "@maturity/command-line/usage-error";
import { severities } from "@maturity/core/wire";
import { Option } from "commander";
import { collect } from "./command.ts";

/** `--assume-scanned` for the commands that read reports. */
export function assumeOption(): Option {
  const text = "take a report that does not show what was looked for as clean: you know that it was looked for";
  return new Option("--assume-scanned", text);
}

/** `--assume-severity` for the commands that score reports. */
export function severityOption(): Option {
  const text = "count findings without a severity as ones of this: needed where none of a report has one";
  return new Option("--assume-severity <level>", text).choices(severities.filter((level) => level !== "info"));
}

const aboutFormat =
  "format of the reports, where the content does not show it: an empty one; maturity formats lists them";

/** `--format` for the commands that read reports of one format. */
export function formatOption(): Option {
  return new Option("--format <name>", aboutFormat);
}

/** `--format` that may be given several times, each time for the files of a pattern. */
export function formatsOption(): Option {
  return new Option("--format <[pattern=]name>", aboutFormat).argParser(collect);
}

/** The option for the time of a report that states none. */
export function measuredOption(): Option {
  return new Option(
    "--measured-at <time>",
    "when it was measured, for values and reports that state no time, such as 2026-03-01T08:00:00Z; default: now",
  );
}

/** The names of the formats, sorted. */
export async function formatNames(): Promise<string[]> {
  const { formats } = await import("@maturity/reports");
  return formats.map(({ name }) => name).sort();
}

/** @throws UsageError for a `--format` that does not exist */
export async function requireFormats({ format }: Flags): Promise<void> {
  if (format === undefined) return;
  const names = await formatNames();
  const other = valuesOf(format).find((text) => !names.includes(text.slice(text.lastIndexOf("=") + 1)));
  if (other === undefined) return;
  const name = other.slice(other.lastIndexOf("=") + 1);
  throw new UsageError(`--format ${other}: there is no format ${name}${insteadOf(name, names)}`);
}
