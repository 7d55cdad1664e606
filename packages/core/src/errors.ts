/** What can go wrong between a result and its score. The codes are stable; messages may be reworded. */
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
  /** Where, as dotted path from the body: `raw.critical`, `details[2].line`. */
  readonly path: string;
  /** What is wrong and what would be right. */
  readonly message: string;
}

/** The most faults that are listed for one input: a hostile input can have 100,000. */
export const maxFaults = 100;

/** The most faults that a message shows. */
const maxShown = 10;

/** Characters of a path, which holds keys of the input, and of a message, which a validator may fill with them. */
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

function cutFault({ path, message }: Fault): Fault {
  return { path: cut(path, maxPath), message: cut(message, maxMessage) };
}

function cut(text: string, maximum: number): string {
  return text.length > maximum ? `${text.slice(0, maximum).toWellFormed()}…` : text;
}

/**
 * What all errors of Maturity have: a stable `code` to branch on, a message for people, and the single faults where there
 * are several. Each package throws a class of its own, whose codes are known.
 */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;
  /** The faults found, in the order of the input, at most 100; empty where the message says it all. */
  readonly details: readonly Fault[];

  constructor(code: Code, message: string, options: { details?: readonly Fault[]; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = (options.details ?? []).slice(0, maxFaults).map(cutFault);
  }
}

/** What this package throws. `instanceof` narrows its `code` to those that there are. */
export class MaturityError extends CodedError<EngineErrorCode> {
  override readonly name = "MaturityError";
}
