import { maxBodyBytes, maxEntries } from "@maturity/core/wire";
import { masked, printable } from "./mask.ts";
import { addCounts, noFindings, type Severity, type SeverityCounts, severities } from "./severities.ts";

/** A finding, in the form that POST /problem/scan-result accepts. */
export interface Finding {
  /** 1–4,096 characters, no control characters. */
  readonly file: string;
  /** From 0 to 2,147,483,647. */
  readonly line?: number;
  /** At most 4,000 characters, no control characters. Secrets are masked. */
  readonly description?: string;
}

/** The findings of a metric or of a kind, in the one shape that every format gives them. */
export interface FindingList {
  /** Number of all findings, including those for which `details` has no room. */
  readonly count: number;
  /** Their number by severity. A finding to which the tool gives none is `unknown`. */
  readonly severities: Readonly<SeverityCounts>;
  /** The first of them with their places, as in a problem. Empty if the format does not list them. */
  readonly details: readonly Finding[];
}

/** The findings of a problem. */
export interface Problem {
  /** Number of all findings, including those for which `details` has no room. */
  readonly count: number;
  /** The gravest severity. Absent if no finding has a severity. */
  readonly severity?: Severity;
  /** The first findings: at most 1,000, and no more than fit into a request to the service. */
  readonly details: readonly Finding[];
}

/** A finding as the tool wrote it. Any value may be missing or have another type. */
export interface RawFinding {
  readonly file: unknown;
  readonly line?: unknown;
  /** A function gives it if it takes time: it is called only for findings that are kept. */
  readonly description?: unknown;
  readonly severity?: Severity | "unknown";
  /** Texts that are secrets or contain them. They are masked in `file` and `description`. */
  readonly secrets?: readonly unknown[];
}

/** Most bytes of `details`. The rest of the body needs some room, and so do the escapes of JSON. */
const maxDetailBytes = maxBodyBytes - 148_576;
const maxFile = 4_096;
const maxDescription = 4_000;
const maxLine = 2_147_483_647;

/** Collects findings. They make a problem that the service accepts, whatever the report contains. */
export class Findings {
  readonly #severities = noFindings();
  #count = 0;
  #bytes = 0;
  readonly #details: Finding[] = [];

  add({ file, line, description, severity = "unknown", secrets = [] }: RawFinding): void {
    this.#count++;
    this.#severities[severity]++;
    if (this.#isFull) return;
    const text: unknown = typeof description === "function" ? description() : description;
    const said = printable(masked(text, secrets, 4, maxDescription), maxDescription);
    this.#keep({
      file: printable(masked(file, secrets, 16, maxFile), maxFile) || "(no file)",
      ...(isLine(line) && { line }),
      ...(said !== "" && { description: said }),
    });
  }

  /** Adds all findings of another list. */
  addAll({ count, severities, details }: FindingList): void {
    this.#count += count;
    addCounts(this.#severities, severities);
    for (const finding of details) this.#keep(finding);
  }

  #keep(finding: Finding): void {
    if (this.#isFull) return;
    this.#bytes += new TextEncoder().encode(JSON.stringify(finding)).length + 1;
    if (this.#bytes <= maxDetailBytes) this.#details.push(finding);
  }

  get #isFull(): boolean {
    return this.#details.length === maxEntries || this.#bytes > maxDetailBytes;
  }

  get list(): FindingList {
    return { count: this.#count, severities: this.#severities, details: this.#details };
  }
}

/** The findings as a problem, which names the gravest severity alone. */
export function problemOf({ count, severities: counts, details }: FindingList): Problem {
  const severity = severities.find((one) => counts[one] > 0);
  return { count, ...(severity && { severity }), details };
}

function isLine(line: unknown): line is number {
  return typeof line === "number" && Number.isInteger(line) && line >= 0 && line <= maxLine;
}
