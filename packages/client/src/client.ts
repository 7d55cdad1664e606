import { maxBodyBytes, maxBodyValues, maxEntries } from "@maturity/core/wire"; // bundled: the client has no dependency on core
import type { Answer } from "./answer.ts";
import { type Badging, badgingOf } from "./badging.ts";
import { batchesOf } from "./batches.ts";
import { type CallOptions, type ClientOptions, type Connection, createCaller, type Init } from "./caller.ts";
import { type Campaigning, campaigningOf } from "./campaigning.ts";
import { type Deciding, decidingOf } from "./deciding.ts";
import { MaturityClientError } from "./errors.ts";
import { inList } from "./in-list.ts";
import {
  type App,
  type AppChange,
  type Area,
  type ChangeTotal,
  type DailyRollUp,
  type Found,
  type HistoryQuery,
  type LevelStanding,
  type Listing,
  listing,
  type MetricAverage,
  orOlder,
  type ProblemTimes,
  type ProblemWeek,
  type Query,
  type ScoreChange,
  type Scorecard,
  type StoredProblem,
  type StoredScore,
  type Team,
} from "./listing.ts";
import type { components } from "./openapi.generated.ts";
import { type Registry, registryOf } from "./registry.ts";

/** An application in one environment. */
export type Target = Readonly<Pick<components["schemas"]["ProblemRequest"], "area" | "team" | "app" | "env">>;

/** A result of a shipped metric; the fields of `raw` depend on `scorecard` and `metric`. */
export type ScoreRequest = components["schemas"]["ScoreRequest"];
/** A stored score with its reasons. */
export type ScoreResponse = components["schemas"]["ScoreResponse"];
/** The state of a problem by a scan; a `count` of 0 resolves it. */
export type ProblemRequest = components["schemas"]["ProblemRequest"];
/** The stored problem, with the state of its alert. */
export type ProblemResponse = components["schemas"]["ProblemResponse"];

/** The caller, its scopes and its bounds. */
export type Caller = components["schemas"]["Caller"];

/** The state of the service: `ok`, or why it takes no reports at the moment. */
export type Health = components["schemas"]["Health"]["status"];

/** A result of any metric, also of other scorecard packages. */
export interface AnySubmission extends Target {
  readonly scorecard: string;
  readonly metric: string;
  readonly raw: object;
  /** When it was measured (RFC 3339); when it is reported if absent. */
  readonly measured_at?: string;
  readonly pipeline_id?: string;
  readonly project_repo?: string;
}

/** Options of a call with a list. */
export interface ListOptions extends CallOptions {
  /** Called after each request with the number of stored scores. */
  readonly onProgress?: (stored: number) => void;
}

/**
 * Calls one service. If the network fails, or the status is 429, 502, 503 or 504, a call is tried again until its time
 * limit. Any other failure throws a `MaturityClientError` at once, and a request that cannot be made the
 * error of the runtime. No retry does anything twice.
 */
export interface Client<Submission extends AnySubmission = ScoreRequest>
  extends Deciding,
    Campaigning,
    Badging,
    Registry {
  /** Scores one result and stores it in place of the former result of its key. */
  submit(score: Submission, options?: CallOptions): Promise<ScoreResponse>;
  /**
   * Scores and stores any number of results, in requests of up to 1,000. Each request stores all of its results or none.
   * After an error, `stored` of the error is the number of scores that the requests before it stored.
   *
   * @returns the stored scores, in the order sent
   */
  submitAll(scores: readonly Submission[], options?: ListOptions): Promise<ScoreResponse[]>;
  /** Stores the state of a problem, and queues its alert once. */
  reportProblem(problem: ProblemRequest, options?: CallOptions): Promise<ProblemResponse>;
  /** Areas, the worst first. */
  areas(query?: Query<"/areas">, options?: CallOptions): Listing<Area>;
  /** Teams, the worst first. */
  teams(query?: Query<"/teams">, options?: CallOptions): Listing<Team>;
  /** Applications, the worst first. */
  apps(query?: Query<"/apps">, options?: CallOptions): Listing<App>;
  /** Stored scores, in a fixed order. */
  scores(query?: Query<"/scores">, options?: CallOptions): Listing<StoredScore>;
  /** Open problems, the oldest first. */
  problems(query?: Query<"/problems">, options?: CallOptions): Listing<StoredProblem>;
  /** How long problems are open, and were open until they were resolved, by severity and area. */
  problemTimes(query?: Query<"/problem-times">, options?: CallOptions): Listing<ProblemTimes>;
  /** How many problems were opened and resolved each week, the earliest first. */
  problemWeeks(query?: Query<"/problem-weeks">, options?: CallOptions): Listing<ProblemWeek>;
  /** The scorecards of the service. */
  scorecards(options?: CallOptions): Listing<Scorecard>;
  /** The levels of each environment, the lowest first, with their conditions and how many applications have them. */
  levels(query?: Query<"/levels">, options?: CallOptions): Listing<LevelStanding>;
  /** Each metric over all applications of an environment, what costs the organisation most first. */
  metricAverages(query?: Query<"/metric-averages">, options?: CallOptions): Listing<MetricAverage>;
  /** The changes of the score of a metric, the oldest first. With `changes`, of all metrics of an application. */
  history(
    query: HistoryQuery & ({ readonly metric: string } | { readonly changes: true }),
    options?: CallOptions,
  ): Listing<ScoreChange>;
  /** The daily roll-ups of an application, a team or an area, the oldest first. */
  history(query: HistoryQuery, options?: CallOptions): Listing<DailyRollUp>;
  /** How applications have changed since a day, the greatest loss first. */
  changes(query?: Query<"/changes">, options?: CallOptions): Listing<AppChange>;
  /** How areas, teams or the organisation have changed since a day by all their applications, the greatest loss first. */
  changeTotals(query?: Query<"/change-totals">, options?: CallOptions): Listing<ChangeTotal>;
  /** Areas, teams and applications by parts of their names, the best first. */
  search(query: Query<"/search">, options?: CallOptions): Listing<Found>;
  /** Shows the caller. */
  whoAmI(options?: CallOptions): Promise<Caller>;
  /** Whether the service works. It is `unavailable` without its database, and `stopping` before it ends. */
  health(options?: CallOptions): Promise<Health>;
  /** The version of the service. */
  version(options?: CallOptions): Promise<string>;
}

/**
 * Creates a client. It sends nothing before the first call.
 *
 * Its submissions are typed by metric. `createClient<AnySubmission>` takes those of any scorecard package.
 *
 * @throws MaturityClientError `invalid-url` or `invalid-time-limit`
 */
export function createClient<Submission extends AnySubmission = ScoreRequest>(
  options: ClientOptions,
): Client<Submission> {
  return clientOf(createCaller(options));
}

/** A client over a connection. Tests make one with a clock of their own. */
export function clientOf<Submission extends AnySubmission = ScoreRequest>(caller: Connection): Client<Submission> {
  const { api, call } = caller;
  return {
    submit: (score, callOptions) =>
      call("sets", "score", (init) => api.POST("/score", { ...init, body: score as ScoreRequest }), callOptions),

    async submitAll(scores, { signal, onProgress } = {}) {
      const stored: ScoreResponse[] = [];
      for (const { offset, items } of batchesOf(scores, maxEntries, maxBodyBytes, maxBodyValues)) {
        const body = { scores: items as readonly AnySubmission[] as ScoreRequest[] };
        try {
          const answer = await call(
            "sets",
            "reported_at",
            (init) => api.POST("/scores", { ...init, body }),
            signal && { signal },
          );
          stored.push(...answer.scores.map((score) => ({ ...score, reported_at: answer.reported_at })));
        } catch (error) {
          throw error instanceof MaturityClientError ? inList(error, "scores", offset) : error;
        }
        onProgress?.(stored.length);
      }
      return stored;
    },

    reportProblem: (body, callOptions) =>
      call("makes", "reported_at", (init) => api.POST("/problem/scan-result", { ...init, body }), callOptions),

    areas: (query, callOptions) => listing(caller, "/areas", query, callOptions),
    teams: (query, callOptions) => listing(caller, "/teams", query, callOptions),
    apps: (query, callOptions) => listing(caller, "/apps", query, callOptions),
    scores: (query, callOptions) => listing(caller, "/scores", query, callOptions),
    problems: (query, callOptions) => listing(caller, "/problems", query, callOptions),
    problemTimes: (query, callOptions) => listing(caller, "/problem-times", query, callOptions),
    problemWeeks: (query, callOptions) => listing(caller, "/problem-weeks", query, callOptions),
    scorecards: (callOptions) => listing(caller, "/scorecards", {}, callOptions),
    levels: (query, callOptions) => listing(caller, "/levels", query, callOptions),
    metricAverages: (query, callOptions) => listing(caller, "/metric-averages", query, callOptions),
    history: (query: HistoryQuery, callOptions?: CallOptions) =>
      listing(caller, "/history", query, callOptions) as Listing<never>,
    changes: (query, callOptions) => listing(caller, "/changes", query, callOptions),
    changeTotals: (query, callOptions) => listing(caller, "/change-totals", query, callOptions),
    search: (query, callOptions) => listing(caller, "/search", query, callOptions),
    ...registryOf(caller),
    ...decidingOf(caller),
    ...campaigningOf(caller),
    ...badgingOf(caller),

    whoAmI: (callOptions) =>
      orOlder(
        "/whoami",
        call("reads", "scopes", (init) => api.GET("/whoami", init), callOptions),
      ),

    async health(callOptions) {
      const send = async (init: Init): Promise<Answer<{ status: Health }>> => {
        const { data, error, response } = await api.GET("/healthz", init);
        return { data: data ?? (Object(error).status === undefined ? undefined : error), error, response };
      };
      return (await call("reads", "status", send, callOptions)).status;
    },

    version: async (callOptions) =>
      (await call("reads", "version", (init) => api.GET("/livez", init), callOptions)).version,
  };
}
