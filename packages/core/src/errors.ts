/** The error codes of this package. Codes are stable; messages may be reworded. */
export type EngineErrorCode =
  /** A scorecard breaks the contract; the message names the scorecard, the metric and the member. */
  | "invalid-scorecard"
  /** No scorecard of that name is registered; the message lists those that are. */
  | "unknown-scorecard"
  /** The scorecard has no metric of that name; the message lists those it has. */
  | "unknown-metric"
  /** `raw` does not fit the metric; `details` lists the faults. */
  | "invalid-raw"
  /** A scorer or its validator threw, or returned something that is no score; `cause` holds what it threw. */
  | "scorer-failed";

/** One fault of an input. */
export interface Fault {
  /** Its path from the body: `raw.critical`, `details[2].line`. */
  readonly path: string;
  /** The fault, and what would be right. */
  readonly message: string;
}

/** The most faults that are listed for one input: a hostile input can have 100,000. */
export const maxFaults = 100;

/** The most faults that a message shows. */
const maxShown = 10;

/** Most characters of a path or of a message. Both can hold keys of the input. */
const maxPath = 200;
const maxMessage = 500;

/** Faults as a sentence for a message: the first ten, and how many more are listed. */
export function summaryOf(faults: readonly Fault[], separator = " "): string {
  const shown = faults
    .slice(0, maxShown)
    .map(cutFault)
    .map(({ path, message }) => (path ? `${path}${separator}${message}` : message));
  const more = Math.min(faults.length, maxFaults) - shown.length;
  return shown.join("; ") + (more > 0 ? `; and ${more} more` : "");
}

/** Cuts what a fault repeats of the input. */
export function cutFault({ path, message }: Fault): Fault {
  return { path: cut(path, maxPath), message: cut(message) };
}

/** Cuts a text for a message. */
export function cut(text: string, maximum: number = maxMessage): string {
  return text.length > maximum ? `${text.slice(0, maximum).toWellFormed()}…` : text;
}

/**
 * The base of all errors of Maturity: a stable `code` for programs, a message for people, and the list of faults. Each
 * package throws a class of its own with its own codes.
 */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;
  /** The faults in the order of the input, at most 100. Empty if the message says everything. */
  readonly details: readonly Fault[];

  constructor(code: Code, message: string, options: { details?: readonly Fault[]; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = (options.details ?? []).slice(0, maxFaults).map(cutFault);
  }
}

/** The error of this package. `instanceof` narrows `code` to its codes. */
export class MaturityError extends CodedError<EngineErrorCode> {
  override readonly name = "MaturityError";
}
