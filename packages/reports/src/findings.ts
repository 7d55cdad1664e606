import { maxBodyBytes, maxEntries } from "@maturity/core";
import { masked, printable } from "./mask.ts";
import { type Severity, severities } from "./severities.ts";

/** One finding as POST /problem/scan-result takes it. */
export interface Finding {
  /** 1–4,096 characters, no control characters. */
  readonly file: string;
  /** 0–2,147,483,647. */
  readonly line?: number;
  /** At most 4,000 characters, no control characters; never the secret itself. */
  readonly description?: string;
}

/** The findings of a problem. */
export interface Problem {
  /** All of them, also those `details` has no room for. */
  readonly count: number;
  /** The gravest the tool gave; absent when it gave none. */
  readonly severity?: Severity;
  /** The first findings, at most 1,000, and no more than fit into a request of the service. */
  readonly details: readonly Finding[];
}

/** A finding as a tool has it: anything may be missing or of another type. */
export interface RawFinding {
  readonly file: unknown;
  readonly line?: unknown;
  readonly description?: unknown;
  readonly severity?: Severity | "unknown";
  /** Texts that are, or hold, the secret: they are masked wherever they would show. */
  readonly secrets?: readonly unknown[];
}

/** Leaves room for the rest of a body, and for JSON's escapes. */
const maxDetailBytes = maxBodyBytes - 148_576;
const maxFile = 4_096;
const maxDescription = 4_000;
const maxLine = 2_147_483_647;

/** Collects findings into a problem that the service accepts, whatever the report holds. */
export class Findings {
  #count = 0;
  #gravest: Severity | undefined;
  #bytes = 0;
  readonly #details: Finding[] = [];

  add({ file, line, description, severity, secrets = [] }: RawFinding): void {
    this.#count++;
    this.#weigh(severity);
    if (this.#details.length === maxEntries) return;
    const said = printable(masked(description, secrets, 4, maxDescription), maxDescription);
    this.#keep({
      file: printable(masked(file, secrets, 16, maxFile), maxFile) || "(no file)",
      ...(isLine(line) && { line }),
      ...(said !== "" && { description: said }),
    });
  }

  /** Adds the findings of another problem. */
  addAll({ count, severity, details }: Problem): void {
    this.#count += count;
    this.#weigh(severity);
    for (const finding of details) this.#keep(finding);
  }

  #keep(finding: Finding): void {
    if (this.#details.length === maxEntries) return;
    this.#bytes += new TextEncoder().encode(JSON.stringify(finding)).length + 1;
    if (this.#bytes <= maxDetailBytes) this.#details.push(finding);
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
