/** The exit codes of the program. Pipelines rely on them, so none ever changes. */
export const exitCodes = {
  done: 0,
  gateNotMet: 1,
  /** Wrong usage, or a report that cannot be read. Nothing was sent, except with `--keep-going`. */
  wrongUse: 2,
  /** The service refused the request. */
  refused: 3,
  /** The service did not answer, or cannot work at the moment. */
  unreachable: 4,
  /** There was no report, or none that feeds a metric or a problem. */
  nothingToSend: 5,
  /** A fault of this program. */
  internal: 70,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
