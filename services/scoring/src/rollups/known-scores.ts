import type { Engine, Evidence, Target } from "@maturity/core";
import { slice } from "../http/slices.ts";
import type { Lines } from "../store/lines.ts";
import { scoreId } from "../store/score-ids.ts";
import { copyOf, inLines, readRow, separator } from "../store/text-rows.ts";

/** The scores of one application in one environment. */
export interface KnownApp extends Target {
  /** Its names in one text. */
  readonly id: string;
  /** In the order of the scorecards and their metrics; undefined where nothing was reported. */
  readonly evidence: (KnownEvidence | undefined)[];
  /** The id of each score. */
  readonly scoreIds: (number | undefined)[];
  /** A repository that one of its reports names. */
  repo: string | null;
}

/** What does not change with its name. */
type TargetScores = Pick<KnownApp, "evidence" | "scoreIds" | "repo">;

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

/** A score goes by ids, which JavaScript reads fast, and not by names. */
const columns =
  "target_id, metric_id, score, (date_part('epoch', reported_at) * 1000)::bigint, nullif(project_repo, '')";

/**
 * Keeps the scores of all applications from reading to reading. The first reading takes every row, by COPY: a GROUP BY
 * takes the database longer than sending them. Each later one takes only the rows that are new since. Names are read each
 * time, and what is retired is left out by them. If a row is gone, or the answer comes from another server, everything is
 * read again.
 */
export function createKnownScores({ scorecards }: Pick<Engine, "scorecards">) {
  const metrics = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => name + separator + metric.name));
  /** By the ids of their targets: the scores, and the applications that have some and are not retired. */
  const scoresOf = new Map<number, TargetScores>();
  const apps = new Map<number, KnownApp>();
  /** The ids of the scores of metrics that are no longer registered. */
  const others = new Set<number>();
  let known = 0;
  /** The place of each metric among those that are registered, by its id. */
  let places = new Map<number, number>();
  let last: Moment | undefined;

  async function readAll(lines: Lines): Promise<Set<number>> {
    for (const map of [scoresOf, apps, others]) map.clear();
    known = 0;
    await takeRows(lines(`SELECT ${columns} FROM scores`), (row) => take(row, row.indexOf(separator)));
    return new Set(scoresOf.keys());
  }

  /** @returns the targets of the new rows; undefined if a row that is known is gone */
  async function readNew(lines: Lines, { oldestOpen }: Moment): Promise<Set<number> | undefined> {
    const changed = new Set<number>();
    let stored = 0;
    // To count what no index has reads the table. To count by an index looks up each new row by itself, and takes three
    // times as long beside many reports.
    const select = `SELECT ${columns} FROM scores WHERE age(xmin) <= (SELECT age('${oldestOpen & 0xffff_ffffn}'::xid))
      UNION ALL SELECT count(xmin), NULL, NULL, NULL, NULL FROM scores`;
    await takeRows(lines(select), (row) => {
      const endOfTarget = row.indexOf(separator);
      if (row[endOfTarget + 1] === separator) stored = Number(row.slice(0, endOfTarget));
      else changed.add(take(row, endOfTarget));
    });
    return stored === known ? changed : undefined;
  }

  /**
   * Takes a row in place of the former one of its key. There may be hundreds of thousands, so it is cut by index: to
   * split each into a list would take three times as long.
   *
   * @returns the target
   */
  function take(row: string, endOfTarget: number): number {
    const endOfMetric = row.indexOf(separator, endOfTarget + 1);
    const target = Number(row.slice(0, endOfTarget));
    const metric = Number(row.slice(endOfTarget + 1, endOfMetric));
    const id = scoreId(target, metric);
    const place = places.get(metric);
    if (place === undefined) {
      if (!others.has(id)) known++;
      others.add(id);
      return target;
    }
    let scores = scoresOf.get(target);
    if (!scores) {
      scores = { evidence: metrics.map(() => undefined), scoreIds: metrics.map(() => undefined), repo: null };
      scoresOf.set(target, scores);
    }
    if (scores.scoreIds[place] === undefined) known++;
    scores.scoreIds[place] = id;
    takeReport(scores, place, row, endOfMetric + 1);
    return target;
  }

  async function readPlaces(lines: Lines): Promise<void> {
    const found = new Map<number, number>();
    await takeRows(lines("SELECT id, scorecard, metric FROM metrics"), (row) => {
      const endOfId = row.indexOf(separator);
      const place = metrics.indexOf(row.slice(endOfId + 1));
      if (place !== -1) found.set(Number(row.slice(0, endOfId)), place);
    });
    places = found;
  }

  /** An application that has another name than in the reading before is another one. */
  async function readApps(lines: Lines, changed: ReadonlySet<number>): Promise<ReadonlySet<KnownApp>> {
    const gone = new Set(apps.keys());
    await takeRows(lines(liveTargets), (row) => {
      const endOfId = row.indexOf(separator);
      const target = Number(row.slice(0, endOfId));
      const scores = scoresOf.get(target);
      if (!scores) return;
      gone.delete(target);
      const former = apps.get(target);
      if (former && row.length === endOfId + 1 + former.id.length && row.endsWith(former.id)) return;
      const id = copyOf(row.slice(endOfId + 1));
      const [area = "", team = "", app = "", env = ""] = id.split(separator);
      apps.set(target, { id, area, team, app, env, ...scores });
    });
    for (const target of gone) apps.delete(target);
    const changedApps = new Set<KnownApp>();
    for (const target of changed) {
      const app = apps.get(target);
      if (!app) continue;
      app.repo = scoresOf.get(target)?.repo ?? null;
      changedApps.add(app);
    }
    return changedApps;
  }

  return {
    /** Reads what is new, or everything after a reading that failed. No two may run at a time. */
    async read(lines: Lines): Promise<Reading> {
      const moment = await readMoment(lines);
      const before = last;
      last = undefined;
      await readPlaces(lines);
      let changed = before && follows(before, moment) ? await readNew(lines, before) : undefined;
      changed ??= await readAll(lines);
      const changedApps = await readApps(lines, changed);
      last = moment;
      const ids = new Set<string>();
      for (const { id } of apps.values()) ids.add(id);
      return { asOf: moment.asOf, apps: apps.values(), has: (id) => ids.has(id), changed: changedApps };
    },
  };
}

const liveTargets = `SELECT targets.id, area, team, app, env FROM targets JOIN applications ON applications.id = application_id
  WHERE applications.retired_at IS NULL AND targets.retired_at IS NULL`;

/** Takes what stands in a row from the score on. */
function takeReport(scores: TargetScores, place: number, row: string, begin: number): void {
  const endOfScore = row.indexOf(separator, begin);
  const endOfTime = row.indexOf(separator, endOfScore + 1);
  const score = Number(row.slice(begin, endOfScore));
  const reported_at = Number(row.slice(endOfScore + 1, endOfTime));
  const evidence = scores.evidence[place];
  if (evidence) {
    evidence.score = score;
    evidence.reported_at = reported_at;
  } else scores.evidence[place] = { score, reported_at };
  const repo = row.slice(endOfTime + 1);
  if (repo && repo !== scores.repo) scores.repo = copyOf(repo);
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
