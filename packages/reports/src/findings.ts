import { maxBodyBytes, maxEntries } from "@maturity/core/wire";
import { masked, printable } from "./mask.ts";
import { type Severity, severities } from "./severities.ts";

/** A finding, in the form that POST /problem/scan-result accepts. */
export interface Finding {
  /** 1–4,096 characters, no control characters. */
  readonly file: string;
  /** From 0 to 2,147,483,647. */
  readonly line?: number;
  /** At most 4,000 characters, no control characters. Secrets are masked. */
  readonly description?: string;
}

/** The findings of a problem. */
export interface Problem {
  /** Number of all findings, including those for which `details` has no room. */
  readonly count: number;
  /** The gravest severity. Absent if no finding has one. */
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

/** Collects findings. The result is a problem that the service accepts, whatever the report contains. */
export class Findings {
  #count = 0;
  #gravest: Severity | undefined;
  #bytes = 0;
  readonly #details: Finding[] = [];

  add({ file, line, description, severity, secrets = [] }: RawFinding): void {
    this.#count++;
    this.#weigh(severity);
    if (this.#isFull) return;
    const text: unknown = typeof description === "function" ? description() : description;
    const said = printable(masked(text, secrets, 4, maxDescription), maxDescription);
    this.#keep({
      file: printable(masked(file, secrets, 16, maxFile), maxFile) || "(no file)",
      ...(isLine(line) && { line }),
      ...(said !== "" && { description: said }),
    });
  }

  /** Adds all findings of another problem. */
  addAll({ count, severity, details }: Problem): void {
    this.#count += count;
    this.#weigh(severity);
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

  get problem(): Problem {
    const severity = this.#gravest;
    return { count: this.#count, ...(severity && { severity }), details: this.#details };
  }

  #weigh(severity: Severity | "unknown" | undefined): void {
    if (severity === undefined || severity === "unknown") return;
    const graver = this.#gravest === undefined || severities.indexOf(severity) < severities.indexOf(this.#gravest);
    if (graver) this.#gravest = severity;
  }
}

function isLine(line: unknown): line is number {
  return typeof line === "number" && Number.isInteger(line) && line >= 0 && line <= maxLine;
}
