import type { ScoreRecord } from "@maturity/core";
import { severities } from "@maturity/core/wire";
import fc from "fast-check";
import { hostileNames } from "../../test/support/hostile-names.ts";

type Target = Pick<ScoreRecord, "area" | "team" | "app" | "env">;

/** A body of POST /score. */
export interface Submission extends Omit<ScoreRecord, "score" | "reported_at"> {
  readonly raw: object;
}

/** A body of POST /problem/scan-result. */
export interface ProblemReport extends Target {
  readonly problem_type: string;
  readonly severity: (typeof severities)[number];
  readonly count: number;
}

/** What an organisation reports: at most one result for each key. */
export interface Organisation {
  readonly scores: readonly Submission[];
  readonly problems: readonly ProblemReport[];
}

const percent = fc.integer({ min: 0, max: 1_000 }).map((tenths) => tenths / 10);
const few = fc.integer({ min: 0, max: 20 });
const flag = fc.record({ enabled: fc.boolean() });
const findings = fc.record({ critical: fc.integer({ min: 0, max: 2 }), high: few, medium: few });
const minutes = fc.record({ minutes: fc.integer({ min: 1, max: 300_000 }) });

type Raws = Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<object>>>>>;

/** Results by scorecard and metric, those of the shipped scorecards. */
export const shippedRaws: Raws = {
  security: {
    image_scan: findings,
    sast: findings,
    dast: fc.record({ high: few, medium: few }),
    secret_scan: fc.record({ found: fc.boolean() }),
  },
  reliability: {
    sla: fc.record({ availability_pct: fc.integer({ min: 9_500, max: 10_000 }).map((hundredths) => hundredths / 100) }),
    change_failure_rate: fc.record({ rate_pct: percent }),
    mttr: minutes,
    mttd: minutes,
  },
  application: {
    unit_coverage: fc.record({ coverage_pct: percent }),
    integration_coverage: fc.record({ coverage_pct: percent }),
    stress_test: fc.record({
      error_rate: percent.map((value) => value / 1_000),
      p95_ms: fc.integer({ min: 0, max: 3_000 }),
      checks_pct: percent,
    }),
    libs_observability: flag,
    libs_secrets: flag,
    health_check: flag,
    unique_db_user: flag,
  },
};

/** Names at all levels come from one pool, so that an area, a team and an application share theirs. */
const names = fc.constantFrom(...hostileNames, "shop", "payments", "checkout", "cart");
const environments = fc.constantFrom("prod", "staging", 'pre "prod"\\');

/** Some of the scorecards, and of each some of the metrics; now and then none at all. */
function reportsOf(raws: Raws): fc.Arbitrary<Partial<Record<string, Partial<Record<string, object>>>>> {
  const cards = Object.entries(raws).map(
    ([name, metrics]) => [name, fc.record(metrics, { requiredKeys: [] })] as const,
  );
  return fc.record(Object.fromEntries(cards), { requiredKeys: [] });
}

/** Of each named once: `{ minLength, maxLength }` of them. */
function several<T>(content: Record<string, fc.Arbitrary<T>>, name: fc.Arbitrary<string>, most: number) {
  const entry = fc.record({ name, content: fc.record(content) });
  return fc.uniqueArray(entry, { selector: ({ name }) => name, minLength: 1, maxLength: most, size: "max" });
}

function organisations(raws: Raws): fc.Arbitrary<Organisation> {
  const envs = several({ reports: reportsOf(raws) }, environments, 3);
  const apps = several({ envs }, names, 5);
  const teams = several({ apps }, names, 4);
  const scores = several({ teams }, names, 4).map((areas) =>
    areas.flatMap(({ name: area, content: { teams = [] } }) =>
      teams.flatMap(({ name: team, content: { apps = [] } }) =>
        apps.flatMap(({ name: app, content: { envs = [] } }) =>
          envs.flatMap(({ name: env, content: { reports = {} } }) =>
            Object.entries(reports).flatMap(([scorecard, metrics = {}]) =>
              Object.entries(metrics).map(([metric, raw = {}]) => ({ area, team, app, env, scorecard, metric, raw })),
            ),
          ),
        ),
      ),
    ),
  );
  const problem = fc.record({
    area: names,
    team: names,
    app: names,
    env: environments,
    problem_type: names,
    severity: fc.constantFrom(...severities),
    count: fc.oneof(fc.constant(0), few, fc.constant(2_147_483_647)),
  });
  const problems = fc.uniqueArray(problem, {
    selector: ({ severity, count, ...key }) => JSON.stringify(Object.values(key)),
    minLength: 20,
    maxLength: 40,
    size: "max",
  });
  return fc.record({ scores: scores.filter(({ length }) => length >= 50), problems });
}

/**
 * An organisation of several areas, teams, applications and environments with names that something on the way might
 * break, where much is missing: metrics, whole scorecards. The same seed gives the same one.
 *
 * @param raws what can be reported; by default the shipped metrics
 */
export function randomOrganisation(seed: number, raws: Raws = shippedRaws): Organisation {
  const [organisation] = fc.sample(organisations(raws), { seed, numRuns: 1 });
  if (!organisation) throw new Error("fast-check gave no sample");
  return organisation;
}

/** An application for each of the names that something might break; each has the name at all four levels. */
export function hostileOrganisation(): Organisation {
  const targets = hostileNames.map((name) => ({ area: name, team: name, app: name, env: name }));
  return {
    scores: targets.map((target) => ({
      ...target,
      scorecard: "security",
      metric: "image_scan",
      raw: { critical: 0, high: 5, medium: 0 },
    })),
    problems: targets.map((target) => ({ ...target, problem_type: target.area, severity: "high", count: 1 })),
  };
}

/** Sends a body as JSON. @throws Error with the answer, unless it is 200 */
export async function post<T>(url: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${response.status} of ${url}: ${await response.text()}`);
  return (await response.json()) as T;
}

/**
 * Reports all of an organisation over HTTP, the instances of the service in turn, and returns the scores as they answered.
 *
 * @param addresses of the instances: `http://127.0.0.1:8080`
 */
export async function submit(organisation: Organisation, addresses: readonly string[]): Promise<ScoreRecord[]> {
  const jobs = [
    ...organisation.scores.map((score, index) => async () => [await post<ScoreRecord>(urlOf("/score", index), score)]),
    ...organisation.problems.map((problem, index) => async () => {
      await post(urlOf("/problem/scan-result", index), problem);
      return [];
    }),
  ];
  const records: ScoreRecord[] = [];
  const queue = jobs.values(); // all workers take from it
  const worker = async () => {
    for (const job of queue) records.push(...(await job()));
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return records;

  function urlOf(path: string, index: number): string {
    return new URL(path, addresses[index % addresses.length]).href;
  }
}
