import type { AnySubmission, Client, MaturityClientError } from "@maturity/client";
import { maxEntries } from "@maturity/core/wire";
import type { PathFault } from "@maturity/report-files/conclude";
import type { PastResult } from "./past-result.ts";

/** What became of the results. */
export interface SentPast {
  readonly stored: number;
  /** What the service refused. */
  readonly refused: readonly PathFault[];
}

/** What to do beside sending. */
export interface SendingPast {
  /** Whether to go on without what the service refuses. */
  readonly skipInvalid: boolean;
  /** Called after each request. @param stored how many results are stored */
  onProgress(stored: number): void;
  /** Called before an error is thrown. @param next the first result that is not stored */
  onStop(stored: number, next: PastResult | undefined): void;
}

/**
 * Sends results of the past in their order, up to 1,000 in a request. What is sent again changes nothing.
 *
 * @throws MaturityClientError whose details name the lines or reports
 */
export async function sendPast(
  results: readonly PastResult[],
  client: Pick<Client<AnySubmission>, "submitAll">,
  { skipInvalid, onProgress, onStop }: SendingPast,
): Promise<SentPast> {
  const { MaturityClientError } = await import("@maturity/client");
  const refused: PathFault[] = [];
  let stored = 0;
  for (let first = 0; first < results.length; first += maxEntries) {
    let waiting = results.slice(first, first + maxEntries);
    while (waiting.length > 0) {
      try {
        await client.submitAll(waiting.map(({ submission }) => submission));
        stored += waiting.length;
        break;
      } catch (error) {
        if (!(error instanceof MaturityClientError)) throw error;
        stored += error.stored;
        const faults = faultsOf(error, waiting);
        if (!skipInvalid || faults.size === 0) {
          onStop(stored, waiting[error.stored]);
          throw inPlaces(error, [...faults.values()], MaturityClientError);
        }
        refused.push(...faults.values());
        waiting = waiting.filter((_, index) => index >= error.stored && !faults.has(index));
      }
    }
    onProgress(stored);
  }
  return { stored, refused };
}

/** Index of a result → what is wrong with it. */
function faultsOf({ details }: MaturityClientError, results: readonly PastResult[]): Map<number, PathFault> {
  const faults = new Map<number, PathFault>();
  for (const { path, message } of details) {
    const [, index, field = ""] = /^scores\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
    const result = index === undefined ? undefined : results[Number(index)];
    if (!result) continue;
    const before = faults.get(Number(index));
    const text = `${field} ${message}`.trim();
    faults.set(Number(index), { path: result.place, message: before ? `${before.message}; ${text}` : text });
  }
  return faults;
}

function inPlaces(
  error: MaturityClientError,
  details: readonly PathFault[],
  ErrorClass: typeof MaturityClientError,
): MaturityClientError {
  if (details.length === 0) return error;
  const { code, status, inDoubt } = error;
  const message = details.map((fault) => `${fault.path}: ${fault.message}`).join("; ");
  const failure = { code, message, details, inDoubt, cause: error, ...(status !== undefined && { status }) };
  return new ErrorClass(failure, error.attempts, error.stored);
}
