/** The exit codes of the program. Pipelines rely on them, so none ever changes. */
export const exitCodes = {
  /** Done. */
  done: 0,
  /** The gate is not met. */
  gateNotMet: 1,
  /**
   * Wrong usage, no service at the address, values that cannot be scored, or a report that cannot be taken. Nothing was
   * sent, but by `--keep-going`, `--skip-invalid` and `collect`, and where `submit` says that something is stored.
   */
  wrongUse: 2,
  /** The service refused, or GitHub Actions refused an ID token. */
  refused: 3,
  /** The service is unreachable, or could not work within `--timeout`. */
  unreachable: 4,
  /** Nothing to send: no file feeds a metric as it stands. */
  nothingToSend: 5,
  /** A fault of this program. */
  internal: 70,
  /** The result cannot be written, to standard output or to the file of `--output`. Everything else may be done. */
  unwritten: 74,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
