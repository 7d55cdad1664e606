import type { Flags } from "@maturity/command-line/flags";
import { UsageError } from "@maturity/command-line/usage-error";
import { isInstant } from "@maturity/core/wire";
import { spokenName } from "@maturity/report-files/report-files";
import type { Reading } from "@maturity/reports";

/** How far a time of measurement may be ahead of this machine, in milliseconds. */
const longestAhead = 300_000;
/** An earlier time, such as the epoch, is the default of a clock or a field. */
const earliest = Date.UTC(2000);

/**
 * The time of `--measured-at`; undefined without it.
 *
 * @param now milliseconds since 1970
 * @throws UsageError if it is no time at which anything could be measured
 */
export function givenTime({ measuredAt }: Flags, now: number): string | undefined {
  if (measuredAt === undefined) return undefined;
  const fault = timeFault(String(measuredAt), now);
  if (fault) throw new UsageError(`--measured-at ${fault}`);
  return String(measuredAt);
}

/** What is wrong with a text that should be a time of measurement (RFC 3339); undefined if nothing is. */
export function timeFault(text: string, now: number): string | undefined {
  if (!isInstant(text)) return `must be a time with its zone, such as 2026-03-01T08:00:00Z, and not ${text}`;
  const at = Date.parse(text);
  if (at < earliest) return `must not be before 2000: ${text}`;
  return at > now + longestAhead ? `must not be in the future: ${text}` : undefined;
}

/** The field of a request that says when a report was measured: as the report states it, else as the caller says. */
export function measuredField(
  reading: Pick<Reading, "measuredAt"> | undefined,
  given: string | undefined,
): { readonly measured_at?: string } {
  const measured_at = reading?.measuredAt ?? given;
  return measured_at === undefined ? {} : { measured_at };
}

/** What was sent, and the reports that it comes from. */
interface Sent {
  readonly reading?: { readonly files: readonly string[] };
  readonly measured_at?: string;
}

/**
 * The error of the service, which names the files and times where it refuses a time of measurement. Any other error stays
 * as it is.
 *
 * @param sent in the order of the request
 */
export async function namingTimes(error: unknown, sent: readonly Sent[]): Promise<unknown> {
  const { MaturityClientError } = await import("@maturity/client");
  if (!(error instanceof MaturityClientError)) return error;
  const details = error.details.map((fault) => {
    const [, index] = /^(?:scores\[(\d+)\]\.)?measured_at$/.exec(fault.path) ?? [];
    const { reading, measured_at } = sent[Number(index ?? 0)] ?? {};
    if (!fault.path.endsWith("measured_at") || measured_at === undefined) return fault;
    const files = reading ? reading.files.map(spokenName).join(", ") : "--measured-at";
    return { path: fault.path, message: `${fault.message}; ${files} is of ${measured_at}` };
  });
  const message = details.map((fault) => `${fault.path} ${fault.message}`).join("; ");
  if (details.every((fault, index) => fault === error.details[index])) return error;
  const { code, status, inDoubt } = error;
  const failure = { code, message, details, inDoubt, cause: error, ...(status !== undefined && { status }) };
  return new MaturityClientError(failure, error.attempts, error.stored);
}

/** What is said of scores that did not become the current ones. */
export function historyNotes(scores: readonly { readonly metric: string; readonly stored?: string }[]): string[] {
  return scores
    .filter(({ stored }) => stored === "history")
    .map(({ metric }) => `${metric}: a later result is stored; this one is in the history`);
}
