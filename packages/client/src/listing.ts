import type { Answer } from "./answer.ts";
import type { Connection } from "./caller.ts";
import { type Failure, MaturityClientError } from "./errors.ts";
import type { components, paths } from "./openapi.generated.ts";
import { streamed } from "./streamed.ts";

/** An area, with the average of its teams in one environment. */
export type Area = components["schemas"]["AreaScore"];
/** A team, with the average of its applications in one environment. */
export type Team = components["schemas"]["TeamScore"];
/** An application with its scores in one environment; with `detail`, every installed metric as well. */
export type App = components["schemas"]["AppScore"];
/** The latest score of a metric of an application; with `detail`, its result and reasons as well. */
export type StoredScore = components["schemas"]["StoredScore"];
/** The state of a problem by its last scan; with `detail`, its findings as well. */
export type StoredProblem = components["schemas"]["StoredProblem"];
/** A metric over all applications of an environment: its average and spread, and what it costs the organisation. */
export type MetricAverage = components["schemas"]["MetricAverage"];
/** A level in an environment, with how many applications have it. */
export type LevelStanding = components["schemas"]["LevelStanding"];
/** How long problems of a severity are open, and were open until they were resolved. */
export type ProblemTimes = components["schemas"]["ProblemTimes"];
/** How many problems were opened and resolved in a week. */
export type ProblemWeek = components["schemas"]["ProblemWeek"];
/** A scorecard of the service, with its metrics. */
export type Scorecard = components["schemas"]["RegisteredScorecard"];

/** The daily roll-up of an application, a team, an area or the organisation. */
export type DailyRollUp = Extract<HistoryEntry, { reported: number }>;
/** A change of the score of a metric. */
export type ScoreChange = Extract<HistoryEntry, { cause: string }>;
/** The change of an application score since a day, with its causes. */
export type AppChange = components["schemas"]["AppChange"];

/** The changes of all applications of an area, a team or the organisation. */
export type ChangeTotal = components["schemas"]["ChangeTotal"];
/** An area, a team or an application, found by its name. */
export type Found = components["schemas"]["Found"];

/** An entry of the registry: an application, a retired or held application, or with `env` a retired environment. */
export type RegisteredApp = components["schemas"]["RegistryApp"];
/** A former name, with the current name. */
export type FormerName = components["schemas"]["FormerName"];
/** A decision that something does not count, with its reason and its end. */
export type Waiver = components["schemas"]["Waiver"];
/** An audited action: anything but a report. */
export type AuditEntry = components["schemas"]["AuditEntry"];

/** A goal for many applications by a date, with the progress of those that the caller may read. */
export type Campaign = components["schemas"]["Campaign"];
/** A campaign of a list, with the share that would meet the goal today by a straight line to its last day. */
export type ListedCampaign = components["schemas"]["ListedCampaign"];
/** An application in an environment that belongs to a campaign. */
export type CampaignMember = components["schemas"]["CampaignMember"];
/** The recorded progress of a campaign on a day. */
export type CampaignDay = components["schemas"]["CampaignDay"];
/** The progress of a campaign in a team or an area. */
export type CampaignGroup = components["schemas"]["CampaignGroup"];

/** An image of what an application has reached, for everybody who has its address. */
export type Badge = components["schemas"]["Badge"];

type HistoryEntry = components["schemas"]["HistoryEntry"];

/** The items of each list of the service. */
export interface Lists {
  readonly "/areas": Area;
  readonly "/teams": Team;
  readonly "/apps": App;
  readonly "/levels": LevelStanding;
  readonly "/scores": StoredScore;
  readonly "/problems": StoredProblem;
  readonly "/problem-times": ProblemTimes;
  readonly "/problem-weeks": ProblemWeek;
  readonly "/scorecards": Scorecard;
  readonly "/metric-averages": MetricAverage;
  readonly "/history": HistoryEntry;
  readonly "/changes": AppChange;
  readonly "/change-totals": ChangeTotal;
  readonly "/search": Found;
  readonly "/registry": RegisteredApp;
  readonly "/former-names": FormerName;
  readonly "/waivers": Waiver;
  readonly "/audit": AuditEntry;
  readonly "/campaigns": ListedCampaign;
  readonly "/campaigns/{id}/members": CampaignMember;
  readonly "/campaigns/{id}/days": CampaignDay;
  readonly "/campaigns/{id}/groups": CampaignGroup;
  readonly "/badges": Badge;
}

/**
 * The filter and the order of a list. Several values mean any of them, and an absent field filters nothing. `limit` is
 * the largest number of items of a page.
 */
export type Query<Path extends keyof Lists> = {
  readonly [Name in keyof Parameters<Path> as Exclude<Name, "cursor">]: Value<Parameters<Path>[Name]>;
};

/** The target of a history; the organisation without an area. `team` needs `area`, `app` needs both, `changes` needs all three, and `metric` all other fields. */
export type HistoryQuery = Query<"/history">;

type Parameters<Path extends keyof Lists> = NonNullable<paths[Path]["get"]["parameters"]["query"]>;

type Value<Given> = Given extends readonly (infer One)[] ? One | readonly One[] : Given;

/** A part of a list. */
export interface Page<Item> {
  /** The time of the reading by the database's clock, in ISO 8601. */
  readonly as_of: string;
  readonly items: readonly Item[];
  /** The `cursor` of the next page. Null on the last page. */
  readonly next: string | null;
  /** The number of items of the whole list when its first page was read. */
  readonly total: number;
}

/** A list. It sends a request when it is read, and again each time. */
export interface Listing<Item> extends AsyncIterable<Item> {
  /**
   * All items. Pages are requested as the reader goes on, and one page is held in memory.
   *
   * @throws MaturityClientError
   */
  [Symbol.asyncIterator](): AsyncIterator<Item, undefined>;
  /**
   * All items at once.
   *
   * @throws MaturityClientError
   */
  toArray(): Promise<Item[]>;
  /**
   * One page.
   *
   * @param cursor `next` of the page before; without it, the first page
   * @throws MaturityClientError
   */
  page(cursor?: string): Promise<Page<Item>>;
  /**
   * All pages, requested in order.
   *
   * @throws MaturityClientError
   */
  pages(): AsyncIterable<Page<Item>>;
  /**
   * All items as CSV by RFC 4180 with a header line, piece by piece as the service sends them. Only the beginning is
   * retried, because a stream cannot go on where it broke off.
   *
   * @throws MaturityClientError
   */
  csv(): AsyncIterable<string>;
}

/** Largest page of a list. With details the service decides, because their items can be large. */
const pageItems = 1_000;

/** A list of the service. @param options `of` has the parameters of the path */
export function listing<Path extends keyof Lists>(
  caller: Connection,
  path: Path,
  query: Query<Path> | undefined,
  { of, ...options }: { readonly signal?: AbortSignal; readonly of?: Readonly<Record<string, string>> } = {},
): Listing<Lists[Path]> {
  type Item = Lists[Path];
  const { address, api, call, fetchStream } = caller;
  const { limit, ...filter } = (query ?? {}) as { limit?: number; detail?: boolean };

  // The type of a call is that of one list for all of them, and that list has no parameters in its path.
  const paramsOf = (query: object) => ({ query, ...(of && { path: of }) }) as { readonly query: { detail?: boolean } };

  const page = (cursor: string | undefined, items: number | undefined) =>
    orOlder(
      path,
      call<Page<Item>>(
        "reads",
        "items",
        async ({ headers, signal }) => {
          const paging = { ...(items !== undefined && { limit: items }), ...(cursor !== undefined && { cursor }) };
          const params = paramsOf({ ...filter, ...paging });
          const init = { params, headers: { ...headers, accept: "application/json" }, signal };
          const answer = (await api.GET(path as "/apps", init)) as Answer<{ items: never[] } & Page<Item>>;
          return isPage(answer.data) ? answer : { error: answer.error, response: answer.response };
        },
        options,
      ),
    );

  async function* pages() {
    const items = limit ?? (filter.detail ? undefined : pageItems);
    const passed = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const found = await page(cursor, items);
      yield found;
      if (found.next === null) return undefined;
      cursor = found.next;
      if (passed.has(cursor)) throw endless(address, path);
      passed.add(cursor);
    }
  }

  async function* items() {
    for await (const found of pages()) yield* found.items;
    return undefined;
  }

  return {
    [Symbol.asyncIterator]: items,
    async toArray() {
      const all: Item[] = [];
      for await (const found of pages()) all.push(...found.items);
      return all;
    },
    page: (cursor) => page(cursor, limit),
    pages,
    async *csv() {
      const send = streamed("text/csv", caller, options.signal, ({ headers, signal }) =>
        api.GET(path as "/apps", {
          ...{
            params: paramsOf(filter),
            headers: { ...headers, accept: "text/csv" },
            signal,
          },
          ...{ parseAs: "stream", fetch: fetchStream },
        }),
      );
      const { pieces } = await orOlder(path, call("reads", "pieces", send, options));
      yield* pieces;
    },
  };
}

function isPage(data: Partial<Page<unknown>> | undefined): boolean {
  return Array.isArray(data?.items) && (data.next === null || typeof data.next === "string");
}

/** The pages lead back to one before them, as those of a cache do that does not distinguish queries. */
function endless(address: string, path: string): MaturityClientError {
  const message = `the list ${path} of what answers at ${address} has no end: a page leads back to one before it`;
  return new MaturityClientError({ code: "unexpected-answer", message, status: 200 });
}

/** Explains `not-found` for a list: the service is older than this client. */
export async function orOlder<Value>(path: string, answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    // The list of something that has an id is missing where that is.
    if (!(error instanceof MaturityClientError) || error.code !== "not-found" || path.includes("{")) throw error;
    const { code, status, attempts } = error;
    const message = `the service has no ${path}, because it is older than this client; update the service`;
    const failure: Failure = { code, message, ...(status !== undefined && { status }) };
    throw new MaturityClientError(failure, attempts);
  }
}
