/** What can go wrong between a raw result and its score. The codes are stable; messages may be reworded. */
export type EngineErrorCode =
  /** A scorecard breaks the contract; the message names the scorecard, the metric and the member. */
  | "invalid-scorecard"
  /** No scorecard of that name is registered; the message lists those that are. */
  | "unknown-scorecard"
  /** The scorecard has no metric of that name; the message lists those it has. */
  | "unknown-metric"
  /** `raw` does not fit the metric; `details` lists every fault. */
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

/** The one error class: a stable `code` to branch on, a message for people, and the single faults where there are several. */
export class MaturityError<Code extends string = EngineErrorCode> extends Error {
  override readonly name = "MaturityError";
  readonly code: Code;
  /** Every fault found, in the order of the input; empty where the message says it all. */
  readonly details: readonly Fault[];

  constructor(code: Code, message: string, options: { details?: readonly Fault[]; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
  }
}
