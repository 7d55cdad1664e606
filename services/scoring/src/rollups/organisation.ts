import { type AppScore, type Engine, type Evidence, rollUpApp, type Severity } from "@maturity/core";
import { createSlices } from "../http/slices.ts";
import type { Database } from "../store/database.ts";
import { type Lines, readSnapshot } from "../store/lines.ts";
import { copyOf, indexAfter, inLines, separator, targetFieldsText } from "../store/text-rows.ts";

/** How many problems are open, by severity. */
export type OpenProblems = Readonly<Record<Severity, number>>;

export const noProblems: OpenProblems = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

/** One application in one environment. */
export interface App extends AppScore {
  readonly problems: OpenProblems;
  /** When the oldest of its scores was reported. */
  readonly oldestReportedAt: Date;
  /** A repository that one of its reports names. */
  readonly repo: string | null;
  /** The registered metrics that it never reported, as `scorecard.metric`. */
  readonly missing: readonly string[];
}

/** All applications that have a score, at one moment. */
export interface Organisation {
  /** That moment, by the database's clock. */
  readonly asOf: Date;
  readonly apps: readonly App[];
}

/**
 * Reads every score and rolls each application up. The rows are read by COPY and rolled up here: a GROUP BY over as many
 * names takes the database longer than sending them. No work blocks the event loop for long.
 *
 * @throws ServiceError `store-unavailable`
 */
export async function readOrganisation(database: Database, engine: Engine): Promise<Organisation> {
  return readSnapshot(database, database.reads, async (lines) => {
    const asOf = await readMoment(lines);
    const problems = await readProblems(lines);
    const scores = await readScores(lines, engine);
    const apps: App[] = [];
    const names = metricNames(engine);
    const slice = createSlices();
    for (const [id, { evidence, repo }] of scores) {
      await slice();
      const rolled = rollUpApp(engine.scorecards, evidence, asOf);
      if (!rolled) continue;
      const [area = "", team = "", app = "", env = ""] = id.split(separator);
      const times = evidence.flatMap((one) => (one ? [Number(one.reported_at)] : []));
      apps.push({
        ...{ area, team, app, env, ...rolled, repo },
        problems: problems.get(id) ?? noProblems,
        oldestReportedAt: new Date(Math.min(...times)),
        missing: names.filter((_, place) => !evidence[place]),
      });
    }
    return { asOf, apps };
  });
}

/** The registered metrics as `scorecard.metric`, in the order of the scorecards and their metrics. */
export function metricNames({ scorecards }: Engine): string[] {
  return scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => `${name}.${metric.name}`));
}

async function readMoment(lines: Lines): Promise<Date> {
  let milliseconds = "";
  const select = "SELECT (date_part('epoch', clock_timestamp()) * 1000)::bigint::text";
  for await (const rows of inLines(lines(select))) milliseconds = rows.join("");
  return new Date(Number(milliseconds));
}

async function readProblems(lines: Lines): Promise<Map<string, OpenProblems>> {
  const found = new Map<string, Record<Severity, number>>();
  const select = `SELECT ${targetFieldsText} || E'\\t' || severity || E'\\t' || count(*) FROM problems WHERE count > 0
    GROUP BY area, team, app, env, severity`;
  for await (const rows of inLines(lines(select))) {
    for (const row of rows) {
      const [area, team, app, env, severity, count] = row.split(separator);
      const id = [area, team, app, env].join(separator);
      const counts = found.get(id) ?? { ...noProblems };
      counts[severity as Severity] = Number(count);
      found.set(id, counts);
    }
  }
  return found;
}

interface Reported {
  /** In the order of the scorecards and their metrics. */
  readonly evidence: (Evidence | undefined)[];
  repo: string | null;
}

/**
 * Reads the scores of each application. There may be hundreds of thousands of rows, so they are cut by index: to split
 * each into a list would take three times as long.
 */
async function readScores(lines: Lines, { scorecards }: Engine): Promise<Map<string, Reported>> {
  const metrics = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => name + separator + metric.name));
  const places = new Map(metrics.map((metric, place) => [metric, place]));
  const found = new Map<string, Reported>();
  const select = `SELECT ${targetFieldsText} || E'\\t' || scorecard || E'\\t' || metric || E'\\t' || score || E'\\t' ||
    (date_part('epoch', reported_at) * 1000)::bigint || E'\\t' || coalesce(project_repo, '') FROM scores`;
  const slice = createSlices();
  for await (const rows of inLines(lines(select))) {
    await slice();
    for (const row of rows) {
      const endOfId = indexAfter(row, 4, 0);
      const endOfMetric = indexAfter(row, 2, endOfId + 1);
      const place = places.get(row.slice(endOfId + 1, endOfMetric));
      if (place === undefined) continue; // of a scorecard that is no longer registered
      const endOfScore = row.indexOf(separator, endOfMetric + 1);
      const endOfTime = row.indexOf(separator, endOfScore + 1);
      const id = row.slice(0, endOfId);
      let one = found.get(id);
      if (!one) {
        const repo = row.slice(endOfTime + 1);
        one = { evidence: metrics.map(() => undefined), repo: repo === "" ? null : copyOf(repo) };
        found.set(copyOf(id), one);
      }
      one.evidence[place] = {
        score: Number(row.slice(endOfMetric + 1, endOfScore)),
        reported_at: Number(row.slice(endOfScore + 1, endOfTime)),
      };
    }
  }
  return found;
}
