import { type AppScore, type Engine, type Evidence, rollUpApp, type Severity, type Target } from "@maturity/core";
import { createSlices } from "../http/slices.ts";
import type { Database } from "../store/database.ts";
import { type Lines, readSnapshot } from "../store/lines.ts";

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
    const slice = createSlices();
    for (const [id, { evidence, oldest, repo }] of scores) {
      await slice();
      const rolled = rollUpApp(engine.scorecards, evidence, asOf);
      if (!rolled) continue;
      const [area = "", team = "", app = "", env = ""] = id.split(separator);
      const target: Target = { area, team, app, env };
      apps.push({
        ...target,
        ...rolled,
        problems: problems.get(id) ?? noProblems,
        oldestReportedAt: new Date(oldest),
        repo,
      });
    }
    return { asOf, apps };
  });
}

/** It stands in no name, since no name has control characters. */
const separator = "\t";

const idOf = `area || E'\\t' || team || E'\\t' || app || E'\\t' || env`;

async function readMoment(lines: Lines): Promise<Date> {
  let milliseconds = "";
  const select = "SELECT (date_part('epoch', clock_timestamp()) * 1000)::bigint::text";
  for await (const rows of inLines(lines(select))) milliseconds = rows.join("");
  return new Date(Number(milliseconds));
}

async function readProblems(lines: Lines): Promise<Map<string, OpenProblems>> {
  const found = new Map<string, Record<Severity, number>>();
  const select = `SELECT ${idOf} || E'\\t' || severity || E'\\t' || count(*) FROM problems WHERE count > 0
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
  oldest: number;
  repo: string | null;
}

async function readScores(lines: Lines, { scorecards }: Engine): Promise<Map<string, Reported>> {
  const metrics = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => name + separator + metric.name));
  const places = new Map(metrics.map((metric, place) => [metric, place]));
  const found = new Map<string, Reported>();
  const select = `SELECT ${idOf} || E'\\t' || scorecard || E'\\t' || metric || E'\\t' || score || E'\\t' ||
    (date_part('epoch', reported_at) * 1000)::bigint || E'\\t' || coalesce(project_repo, '') FROM scores`;
  const slice = createSlices();
  for await (const rows of inLines(lines(select))) {
    await slice();
    for (const row of rows) {
      const [area, team, app, env, scorecard, metric, score, reportedAt, repo] = row.split(separator);
      const place = places.get(scorecard + separator + metric);
      if (place === undefined) continue; // of a scorecard that is no longer registered
      const id = [area, team, app, env].join(separator);
      const at = Number(reportedAt);
      const one = found.get(id) ?? { evidence: metrics.map(() => undefined), oldest: at, repo: null };
      found.set(id, one);
      one.evidence[place] = { score: Number(score), reported_at: at };
      one.oldest = Math.min(one.oldest, at);
      one.repo ??= repo || null;
    }
  }
  return found;
}

/** Cuts pieces of any length into lines, and gives the lines of each piece. */
async function* inLines(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of pieces) {
    const text = rest + (typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
    const lines = text.split("\n");
    rest = lines.pop() ?? "";
    yield lines;
  }
}
