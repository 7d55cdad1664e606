import { type AnySubmission, type Client, MaturityClientError } from "@maturity/client";
import { maxFaults } from "@maturity/core/wire";
import type { Result, RowNote } from "./results.ts";

/** The outcome of sending the results of one query. */
export interface Sending {
  readonly sent: number;
  /** Rows that the service refused, each with why. */
  readonly refused: readonly RowNote[];
  /** What kept the rest from being sent. */
  readonly error?: MaturityClientError;
}

/** So often the results without the faulty ones are sent again, and as much oftener as it takes to name all of them. */
const maxAttempts = 10;

/**
 * Sends results, up to 1,000 a request. The service takes all of a request or nothing, so where it refuses some of them
 * the others are sent without those.
 *
 * @param onProgress is called after each request with how many of the results are stored
 * @throws what the signal aborts with
 */
export async function send(
  client: Pick<Client<AnySubmission>, "submitAll">,
  results: readonly Result[],
  signal: AbortSignal,
  onProgress: (stored: number) => void = () => {},
): Promise<Sending> {
  const refused: RowNote[] = [];
  let waiting = results;
  let sent = 0;
  const attempts = maxAttempts + Math.floor(results.length / maxFaults); // so many the service names at a time
  for (let attempt = 1; waiting.length > 0; attempt++) {
    try {
      await client.submitAll(
        waiting.map(({ submission }) => submission),
        { signal, onProgress: (stored) => onProgress(sent + stored) },
      );
      sent += waiting.length;
      break;
    } catch (error) {
      if (!(error instanceof MaturityClientError)) throw error;
      sent += error.stored;
      const faults = faultsOf(error, waiting);
      for (const { row, text } of faults.values()) refused.push({ row, text });
      if (faults.size === 0 || attempt === attempts) return { sent, refused, error };
      waiting = waiting.filter((_, index) => index >= error.stored && !faults.has(index));
    }
  }
  return { sent, refused };
}

/** Index of a result → its faults, each with the value where that is short. */
function faultsOf({ details }: MaturityClientError, results: readonly Result[]): Map<number, RowNote> {
  const faults = new Map<number, RowNote>();
  for (const { path, message } of details) {
    const [, index, field = ""] = /^scores\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
    const result = results[Number(index)];
    if (!result) continue;
    const text = `${field} ${message}${valueAt(result.submission, field)}`.trim();
    const before = faults.get(Number(index));
    faults.set(Number(index), { row: result.row, text: before ? `${before.text}; ${text}` : text });
  }
  return faults;
}

function valueAt({ raw, ...fields }: AnySubmission, path: string): string {
  const values: Record<string, unknown> = { ...fields };
  for (const [field, value] of Object.entries(raw)) values[`raw.${field}`] = value;
  return Object.hasOwn(values, path) ? `; it is ${JSON.stringify(values[path])}` : "";
}
