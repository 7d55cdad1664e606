import type { AnySubmission, Client, Fetch, MaturityClientError } from "@maturity/client";
import type { CollectConfig } from "./config.ts";
import { runSql } from "./postgres.ts";
import { runPromql } from "./prometheus.ts";
import { type Query, QueryError, type QueryResult, type Source } from "./query.ts";
import { type Results, type RowNote, resultsOf } from "./results.ts";
import { withoutSecrets } from "./secrets.ts";
import { type Sending, send } from "./send.ts";

/**
 * How a query ended, from the best to the worst: everything that it gave is sent; it failed, rows of it cannot be sent, or
 * what answers at the address is no service; the service refuses rows of it; the service could not be reached, or cannot
 * work at the moment.
 */
export type QueryState = "done" | "faulty" | "refused" | "unreachable";

/** The outcome of one query. No text holds a secret. */
export interface QueryReport {
  readonly name: string;
  readonly scorecard: string;
  readonly metric: string;
  /** How many scores the service stored. */
  readonly sent: number;
  /** Of a dry run: what would be sent. */
  readonly submissions?: readonly AnySubmission[];
  /** Rows without a value. */
  readonly skipped: readonly RowNote[];
  /** Rows that should have been sent and were not. */
  readonly faults: readonly RowNote[];
  /** What the source said besides; that it gave no rows. */
  readonly notes: readonly string[];
  /** What kept the query, or the rest of its rows, from being sent. */
  readonly error?: string;
  readonly state: QueryState;
}

/** What a run needs from outside. */
export interface RunOptions {
  /** Where results go; none in a dry run. */
  readonly client?: Pick<Client<AnySubmission>, "submitAll"> | undefined;
  /** Of a dry run: why the service would refuse a submission; undefined if it would not. */
  readonly check?: (submission: AnySubmission) => string | undefined;
  readonly fetch: Fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Called with what goes on, in a few words. */
  readonly onProgress?: (text: string) => void;
}

/** The note on a query that gave nothing. */
export const noRows = "no rows, so nothing is sent";

/** What came of a query before anything is sent. */
interface Gathered extends Results {
  readonly notes: readonly string[];
  readonly error?: string;
}

const nothing: Results = { results: [], skipped: [], faults: [] };

/**
 * Runs all queries, those of one source one after the other and sources side by side, then sends the results query by
 * query. One that fails does not stop the others; only a service that does not answer is asked no more.
 *
 * @returns a report for each query, in the order of the file
 * @throws what the signal aborts with
 */
export async function collect(config: CollectConfig, options: RunOptions): Promise<QueryReport[]> {
  const { client, check, signal, onProgress } = options;
  onProgress?.("asking …");
  const answers = await answersOf(config, options);
  const claimed = new Map<string, string>();
  const reports: QueryReport[] = [];
  let silence: MaturityClientError | undefined;
  for (const [query, answer] of answers) {
    const { results, ...outcome } = gather(query, answer, claimed, client ? undefined : check);
    const about = { name: query.name, scorecard: query.scorecard, metric: query.metric, ...outcome };
    const state = outcome.error !== undefined || outcome.faults.length > 0 ? "faulty" : "done";
    if (!client) {
      reports.push({ ...about, sent: 0, submissions: results.map(({ submission }) => submission), state });
      continue;
    }
    const report = (stored: number) => onProgress?.(`${query.name}: ${stored} of ${results.length} sent …`);
    const sending: Sending =
      silence && results.length > 0
        ? { sent: 0, refused: [], error: silence }
        : await send(client, results, signal, report);
    const { sent, refused, error } = sending;
    const faults = [...outcome.faults, ...refused];
    if (!error) {
      reports.push({ ...about, sent, faults, state: refused.length > 0 ? "refused" : state });
      continue;
    }
    const isElsewhere = error.code === "unexpected-answer"; // no other query would be answered either
    if (error.isOutage || isElsewhere) silence = error;
    const failed = error.isOutage ? "unreachable" : isElsewhere ? "faulty" : "refused";
    reports.push({ ...about, sent, faults, error: error.message, state: failed });
  }
  return reports;
}

/** A query with its answer or its error. */
type Answered = readonly [Query, QueryResult | string];

async function answersOf({ queries, secrets }: CollectConfig, options: RunOptions): Promise<readonly Answered[]> {
  const now = options.now();
  const last = new Map<Source, Promise<Answered>>();
  const after = async (before: Promise<Answered> | undefined, query: Query): Promise<Answered> => {
    await before;
    return [query, await answerOf(query, now, secrets, options)];
  };
  const answers = queries.map((query) => {
    const answer = after(last.get(query.source), query);
    last.set(query.source, answer);
    return answer;
  });
  return Promise.all(answers);
}

async function answerOf(
  query: Query,
  now: number,
  secrets: readonly string[],
  { fetch, signal }: RunOptions,
): Promise<QueryResult | string> {
  const { source } = query;
  try {
    const { rows, notes } = await (source.kind === "prometheus"
      ? runPromql(source, query, { now, fetch, signal })
      : runSql(source, query, signal));
    return { rows, notes: notes.map((note) => withoutSecrets(note, secrets)) };
  } catch (error) {
    if (error instanceof QueryError) return withoutSecrets(error.message, secrets);
    throw error;
  }
}

function gather(
  query: Query,
  answer: QueryResult | string,
  claimed: Map<string, string>,
  check: RunOptions["check"],
): Gathered {
  if (typeof answer === "string") return { ...nothing, notes: [], error: answer };
  const notes = answer.rows.length === 0 ? [...answer.notes, noRows] : answer.notes;
  try {
    const { results, skipped, faults } = resultsOf(query, answer.rows, claimed);
    const checked = results.map((result) => ({ result, fault: check?.(result.submission) }));
    const refused = checked.flatMap(({ result: { row }, fault }) => (fault === undefined ? [] : { row, text: fault }));
    const good = checked.flatMap(({ result, fault }) => (fault === undefined ? result : []));
    return { results: good, skipped, faults: [...faults, ...refused], notes };
  } catch (error) {
    if (error instanceof QueryError) return { ...nothing, notes, error: error.message };
    throw error;
  }
}
