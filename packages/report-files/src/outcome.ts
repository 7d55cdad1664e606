import type { Gathered, PathFault } from "./conclude.ts";
import { fileNames } from "./refusals.ts";

/** Some files could not be read or merged. Nothing was sent. */
export class FilesError extends Error {
  override readonly name = "FilesError";
  readonly code = "unreadable-files";
  readonly details: readonly PathFault[];

  constructor(faults: readonly PathFault[]) {
    super(faults.map(faultText).join("; "));
    this.details = faults;
  }
}

/** There is no report, or none that feeds a metric or a problem as it stands. */
export class NothingToSendError extends Error {
  override readonly name = "NothingToSendError";
  readonly code = "nothing-to-send";
}

/** A fault in one line. */
export function faultText({ path, message }: PathFault): string {
  return path === "" ? message : `${path}: ${message}`;
}

/**
 * Refuses to send if files failed or nothing is there to send.
 *
 * @param keepGoing whether to send what there is in spite of files that failed
 * @throws FilesError, NothingToSendError
 */
export function refuseUnsendable(
  { faults, results, problems, verdicts }: Gathered,
  args: readonly string[],
  keepGoing: boolean,
): void {
  const isEmpty = results.length + problems.length === 0;
  if (faults.length > 0 && (isEmpty || !keepGoing)) throw new FilesError(faults);
  if (!isEmpty) return;
  const reports = verdicts.filter(({ refusal }) => refusal?.isReport);
  const what = reports.length === 0 ? "no report was found in" : "no report feeds a metric as it stands in";
  throw new NothingToSendError(`${what} ${fileNames(args)}, so there is nothing to send`);
}
