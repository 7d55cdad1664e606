/** How the program ends; pipelines rely on these. */
export const exitCodes = {
  done: 0,
  gateNotMet: 1,
  /** Wrong usage, or a report that cannot be read: nothing was sent, but by what was told to go on. */
  wrongUse: 2,
  /** The service answered no. */
  refused: 3,
  /** The service did not answer, or cannot work at the moment. */
  unreachable: 4,
  /** There was no report, or none that feeds anything. */
  nothingToSend: 5,
  /** A fault of this program. */
  internal: 70,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
