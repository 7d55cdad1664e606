import type { Engine, Evidence, Target } from "@maturity/core";
import { createSlices } from "../http/slices.ts";
import type { Lines } from "../store/lines.ts";
import { copyOf, indexAfter, inLines, readRow, separator } from "../store/text-rows.ts";

/** The scores of one application in one environment. */
export interface KnownApp extends Target {
  /** Its names in one text. */
  readonly id: string;
  /** In the order of the scorecards and their metrics; undefined where nothing was reported. */
  readonly evidence: (Evidence | undefined)[];
  /** The id of each score. */
  readonly scoreIds: (number | undefined)[];
  /** A repository that one of its reports names. */
  repo: string | null;
}

/** What a reading found. */
export interface Reading {
  /** Its time, by the database's clock. */
  readonly asOf: Date;
  readonly apps: Iterable<KnownApp>;
  /** Those that may differ from the reading before. */
  readonly changed: ReadonlySet<KnownApp>;
}

/**
 * A moment in the life of a server. Every transaction with a number below `oldestOpen` had ended by then, so a row
 * that the next reading does not know was written by a transaction with this number or a later one.
 */
interface Moment {
  readonly asOf: Date;
  /**
   * Tells the server apart from its replicas, and from itself before a restart or a crash, after which it hands out again
   * the numbers of the last transactions that broke off; undefined for a distributed table.
   */
  readonly server: string | undefined;
  readonly oldestOpen: bigint;
}

/** PostgreSQL compares the numbers of transactions in a circle of 32 bits. Half of it is the past. */
const comparable = 1n << 30n;

/** The names come first: they are what a row is found by. */
const columns = [
  ...["area", "team", "app", "env", "scorecard", "metric", "score"],
  "(date_part('epoch', reported_at) * 1000)::bigint",
  ...["id", "nullif(project_repo, '')"],
];

/**
 * Keeps the scores of all applications from reading to reading. The first reading takes every row, by COPY: a GROUP BY
 * over as many names takes the database longer than sending them. Each later one takes only the rows that are new since.
 * If a row is gone, or the answer comes from another server, everything is read again.
 */
export function createKnownScores({ scorecards }: Pick<Engine, "scorecards">) {
  const metrics = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => name + separator + metric.name));
  const places = new Map(metrics.map((metric, place) => [metric, place]));
  const apps = new Map<string, KnownApp>();
  /** Scores of scorecards and metrics that are no longer registered. */
  const others = new Set<string>();
  let count = 0;
  let last: Moment | undefined;

  async function readAll(lines: Lines): Promise<void> {
    apps.clear();
    others.clear();
    count = 0;
    await takeRows(lines(`SELECT ${columns.join(", ")} FROM scores`), take);
  }

  /** @returns the applications of the new rows; undefined if a row that is known is gone */
  async function readNew(lines: Lines, { oldestOpen }: Moment): Promise<Set<KnownApp> | undefined> {
    const isNew = `age(xmin) <= age('${oldestOpen & 0xffff_ffffn}'::xid)`;
    const changed = new Set<KnownApp>();
    let stored = 0;
    // The table is read once, for the new rows and the number of all of them.
    const select = `SELECT unnest(array_agg(concat_ws(E'\\x03', ${columns.join(", ")})) FILTER (WHERE ${isNew}) || count(*)::text)
      FROM scores`;
    await takeRows(lines(select), (row) => {
      const cells = row.replaceAll("\x03", separator);
      if (!cells.includes(separator)) stored = Number(cells);
      else {
        const app = take(cells);
        if (app) changed.add(app);
      }
    });
    return stored === count ? changed : undefined;
  }

  /**
   * Takes a row in place of the former one of its key. There may be hundreds of thousands, so it is cut by index: to
   * split each into a list would take three times as long.
   */
  function take(row: string): KnownApp | undefined {
    const endOfId = indexAfter(row, 4, 0);
    const endOfMetric = indexAfter(row, 2, endOfId + 1);
    const place = places.get(row.slice(endOfId + 1, endOfMetric));
    if (place === undefined) {
      const key = row.slice(0, endOfMetric);
      if (!others.has(key)) count++;
      others.add(copyOf(key));
      return undefined;
    }
    const endOfScore = row.indexOf(separator, endOfMetric + 1);
    const endOfTime = row.indexOf(separator, endOfScore + 1);
    const [id, repo] = row.slice(endOfTime + 1).split(separator);
    const app = appOf(row.slice(0, endOfId));
    if (!app.evidence[place]) count++;
    app.evidence[place] = {
      score: Number(row.slice(endOfMetric + 1, endOfScore)),
      reported_at: Number(row.slice(endOfScore + 1, endOfTime)),
    };
    app.scoreIds[place] = Number(id);
    if (repo) app.repo = copyOf(repo);
    return app;
  }

  function appOf(part: string): KnownApp {
    const found = apps.get(part);
    if (found) return found;
    const id = copyOf(part);
    const [area = "", team = "", app = "", env = ""] = id.split(separator);
    const nothing = metrics.map(() => undefined);
    const one = { id, area, team, app, env, evidence: nothing, scoreIds: [...nothing], repo: null };
    apps.set(id, one);
    return one;
  }

  return {
    /** Reads what is new, or everything after a reading that failed. No two may run at a time. */
    async read(lines: Lines): Promise<Reading> {
      const moment = await readMoment(lines);
      const before = last;
      last = undefined;
      let changed = before && follows(before, moment) ? await readNew(lines, before) : undefined;
      if (!changed) {
        await readAll(lines);
        changed = new Set(apps.values());
      }
      last = moment;
      return { asOf: moment.asOf, apps: apps.values(), changed };
    },
  };
}

/**
 * PostgreSQL forgets its statistics when it crashes. The workers of a distributed table have numbers of their own, so
 * its new rows cannot be told by them.
 */
async function readMoment(lines: Lines): Promise<Moment> {
  const [asOf, started, crashed, isDistributed, oldestOpen = "0"] = await readRow(
    lines(`
      SELECT (date_part('epoch', clock_timestamp()) * 1000)::bigint, pg_postmaster_start_time()::text,
        (SELECT stats_reset::text FROM pg_stat_bgwriter), EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')::int,
        pg_snapshot_xmin(pg_current_snapshot())::text
    `),
  );
  return {
    asOf: new Date(Number(asOf)),
    server: isDistributed === "1" ? undefined : `${started} ${crashed}`,
    oldestOpen: BigInt(oldestOpen),
  };
}

function follows(last: Moment, next: Moment): boolean {
  const isSameServer = last.server !== undefined && last.server === next.server;
  return isSameServer && next.oldestOpen >= last.oldestOpen && next.oldestOpen - last.oldestOpen < comparable;
}

async function takeRows(pieces: AsyncIterable<string | Uint8Array>, take: (row: string) => void): Promise<void> {
  const slice = createSlices();
  for await (const rows of inLines(pieces)) {
    await slice();
    for (const row of rows) take(row);
  }
}
