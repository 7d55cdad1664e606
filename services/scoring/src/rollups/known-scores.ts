import type { Engine, Evidence, Target } from "@maturity/core";
import { slice } from "../http/slices.ts";
import type { Lines } from "../store/lines.ts";
import { copyOf, indexAfter, inLines, readRow, separator } from "../store/text-rows.ts";

/** The scores of one application in one environment. */
export interface KnownApp extends Target {
  /** Its names in one text. */
  readonly id: string;
  /** In the order of the scorecards and their metrics; undefined where nothing was reported. */
  readonly evidence: (KnownEvidence | undefined)[];
  /** The id of each score. */
  readonly scoreIds: (number | undefined)[];
  /** What tells the names of each score from others. */
  readonly namesOf: number[];
  /** A repository that one of its reports names. */
  repo: string | null;
}

/** It changes with each reading. */
interface KnownEvidence extends Evidence {
  score: number;
  /** In milliseconds since 1970. */
  reported_at: number;
}

/** What a reading found. */
export interface Reading {
  /** Its time, by the database's clock. */
  readonly asOf: Date;
  readonly apps: Iterable<KnownApp>;
  /** Has the application with these names in one text a score? */
  readonly has: (id: string) => boolean;
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

const names = ["area", "team", "app", "env", "scorecard", "metric"];

/**
 * What changes with a report. All names are in it as a number of 48 bits, which JavaScript reads fast: a row of a known id may
 * have got others. They are hashed as labels, since PostgreSQL below 18 has no hash of the bytes of a key.
 */
const reported = [
  "id",
  `hashtextextended(labels, 0) & ${2 ** 48 - 1}`,
  "score",
  "(date_part('epoch', reported_at) * 1000)::bigint",
  "nullif(project_repo, '')",
];

/**
 * Keeps the scores of all applications from reading to reading. The first reading takes every row, by COPY: a GROUP BY
 * over as many names takes the database longer than sending them. Each later one takes only the rows that are new since,
 * and of those that are known no names. If a row is gone or has other names, or the answer comes from another server,
 * everything is read again.
 */
export function createKnownScores({ scorecards }: Pick<Engine, "scorecards">) {
  const metrics = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => name + separator + metric.name));
  const places = new Map(metrics.map((metric, place) => [metric, place]));
  const apps = new Map<string, KnownApp>();
  /** The application of each score, by its id. */
  const appOfScore = new Map<number, KnownApp>();
  /** Scores of scorecards and metrics that are no longer registered: what tells their names from others, by their ids. */
  const others = new Map<number, number>();
  let last: Moment | undefined;

  async function readAll(lines: Lines): Promise<void> {
    apps.clear();
    appOfScore.clear();
    others.clear();
    await takeRows(lines(`SELECT ${[...names, ...reported].join(", ")} FROM scores`), take);
  }

  /** @returns the applications of the new rows; undefined if a row that is known is gone or has other names */
  async function readNew(lines: Lines, { oldestOpen }: Moment): Promise<Set<KnownApp> | undefined> {
    const isNew = `age(xmin) <= (SELECT age('${oldestOpen & 0xffff_ffffn}'::xid))`;
    const changed = new Set<KnownApp>();
    const unknown: number[] = [];
    let stored = 0;
    let isRenamed = false;
    // To count what no index has reads the table. To count by an index looks up each new row by itself, and takes three
    // times as long beside many reports.
    const select = `SELECT ${reported.join(", ")} FROM scores WHERE ${isNew}
      UNION ALL SELECT count(xmin), NULL, NULL, NULL, NULL FROM scores`;
    await takeRows(lines(select), (row) => {
      const endOfId = row.indexOf(separator);
      const endOfNames = row.indexOf(separator, endOfId + 1);
      const id = Number(row.slice(0, endOfId));
      if (endOfNames === endOfId + 1) {
        stored = id;
        return;
      }
      const namesOf = Number(row.slice(endOfId + 1, endOfNames));
      const app = appOfScore.get(id);
      const place = app?.scoreIds.indexOf(id) ?? -1;
      const former = app ? app.namesOf[place] : others.get(id);
      if (former === undefined) unknown.push(id);
      else if (former !== namesOf) isRenamed = true;
      else if (app) {
        takeReport(app, place, row, endOfNames + 1);
        changed.add(app);
      }
    });
    if (isRenamed) return undefined;
    if (unknown.length > 0) {
      const ofUnknown = `SELECT ${[...names, ...reported].join(", ")} FROM scores
        WHERE ${isNew} AND id = ANY ('{${unknown}}'::bigint[])`;
      await takeRows(lines(ofUnknown), (row) => {
        const app = take(row);
        if (app) changed.add(app);
      });
    }
    return stored === appOfScore.size + others.size ? changed : undefined;
  }

  /**
   * Takes a row in place of the former one of its key. There may be hundreds of thousands, so it is cut by index: to
   * split each into a list would take three times as long.
   */
  function take(row: string): KnownApp | undefined {
    const endOfApp = indexAfter(row, 4, 0);
    const endOfMetric = indexAfter(row, 2, endOfApp + 1);
    const endOfId = row.indexOf(separator, endOfMetric + 1);
    const endOfNames = row.indexOf(separator, endOfId + 1);
    const id = Number(row.slice(endOfMetric + 1, endOfId));
    const namesOf = Number(row.slice(endOfId + 1, endOfNames));
    const place = places.get(row.slice(endOfApp + 1, endOfMetric));
    if (place === undefined) {
      others.set(id, namesOf);
      return undefined;
    }
    const app = appOf(row.slice(0, endOfApp));
    appOfScore.delete(app.scoreIds[place] ?? id);
    appOfScore.set(id, app);
    app.scoreIds[place] = id;
    app.namesOf[place] = namesOf;
    takeReport(app, place, row, endOfNames + 1);
    return app;
  }

  function appOf(part: string): KnownApp {
    const found = apps.get(part);
    if (found) return found;
    const id = copyOf(part);
    const [area = "", team = "", app = "", env = ""] = id.split(separator);
    const one = {
      ...{ id, area, team, app, env, repo: null },
      evidence: metrics.map(() => undefined),
      scoreIds: metrics.map(() => undefined),
      namesOf: metrics.map(() => Number.NaN),
    };
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
      return { asOf: moment.asOf, apps: apps.values(), has: (id) => apps.has(id), changed };
    },
  };
}

/** Takes what stands in a row from the score on. */
function takeReport(app: KnownApp, place: number, row: string, begin: number): void {
  const endOfScore = row.indexOf(separator, begin);
  const endOfTime = row.indexOf(separator, endOfScore + 1);
  const score = Number(row.slice(begin, endOfScore));
  const reported_at = Number(row.slice(endOfScore + 1, endOfTime));
  const evidence = app.evidence[place];
  if (evidence) {
    evidence.score = score;
    evidence.reported_at = reported_at;
  } else app.evidence[place] = { score, reported_at };
  const repo = row.slice(endOfTime + 1);
  if (repo && repo !== app.repo) app.repo = copyOf(repo);
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
  for await (const rows of inLines(pieces)) {
    await slice();
    for (const row of rows) take(row);
  }
}
