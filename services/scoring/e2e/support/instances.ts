import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AppliesRule, Scorecard, ScoreRecord, Waiver } from "@maturity/core";
import fc from "fast-check";
import { onTestFinished } from "vitest";
import { loadScorecards } from "../../src/commands/serve/scorecards.ts";
import { query } from "../../test/support/postgres.ts";
import { policyFile, type RegisteredRow, registerRows } from "../../test/support/random-applies.ts";
import { insertRows, randomWaivers } from "../../test/support/random-waivers.ts";
import { createDatabase } from "../../test/support/service.ts";
import { type ServiceProcess, useDirectory, useServiceProcess } from "../../test/support/service-process.ts";
import { shippedRaws } from "./organisation.ts";
import { type Prometheus, type PrometheusOptions, startPrometheus } from "./prometheus.ts";

const value = fc.record({ value: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100) });

/** What the tests report: the shipped metrics and those of a scorecard package that the service does not bring. */
export const raws: typeof shippedRaws = {
  ...shippedRaws,
  cost: { bill: value, waste: value, budget: value },
};

/** What else an earlier set of packages took: a metric and a scorecard that are no longer registered. */
export const formerRaws: typeof shippedRaws = { cost: { ...raws.cost, rent: value }, paper: { printing: value } };

const packages = ["@maturity/security", "@maturity/reliability", "@maturity/application", "@acme/cost"];

/** A package without dependencies, with metrics that take their score as it is. The bill and the rent never age. */
function source(scorecards: Readonly<Record<string, Readonly<Record<string, number>>>>): string {
  return `
const raw = { "~standard": { version: 1, vendor: "acme", validate: (value) => ({ value }) } };
const score = ({ value }) => ({ score: value, reasons: [{ field: "value", value, text: "as it is" }] });
const ages = { waste: { maxAgeHours: 24 }, budget: { maxAgeHours: 36.5 } };
const metric = ([name, weight]) => ({ name, title: name, weight, raw, score, ...ages[name] });
const scorecard = ([name, weights]) => ({
  contract: 1,
  name,
  dimension: "run",
  weight: 12.7,
  package: { name: "@acme/cost", version: "1.0.0" },
  metrics: Object.entries(weights).map(metric),
});
export const [${Object.keys(scorecards)}] = Object.entries(${JSON.stringify(scorecards)}).map(scorecard);
`;
}

/** A folder in which the scorecard package is installed. */
async function useInstalled(scorecards: Parameters<typeof source>[0]): Promise<string> {
  const directory = await useDirectory();
  const folder = join(directory, "node_modules", "@acme", "cost");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "@acme/cost", exports: "./index.mjs" }));
  await writeFile(join(folder, "index.mjs"), source(scorecards));
  return directory;
}

/** Two instances of the service on one database. */
export interface Instances {
  readonly databaseUrl: string;
  readonly addresses: readonly [string, string];
  readonly processes: readonly [ServiceProcess, ServiceProcess];
  /** Those of both, in their order. */
  readonly scorecards: readonly Scorecard[];
  /**
   * Makes stored scores older than they are, each up to three times the age that its metric allows, and returns them with
   * their new times. None comes near a border, so that it matters little when they are read.
   */
  age(scores: readonly ScoreRecord[], seed: number): Promise<ScoreRecord[]>;
  /** Waives some of what these scores are of, for some of the time, and returns the waivers. */
  waive(scores: readonly ScoreRecord[], seed: number): Promise<Waiver[]>;
  /** Registers applications that have reported. */
  register(registry: readonly RegisteredRow[]): Promise<void>;
  /** Starts an instance on the same database as it was before: with a metric and a scorecard more. */
  useFormer(): Promise<{ address: string; stop(): Promise<void> }>;
}

/** Starts two instances of the service, as processes, on a database of their own, for one test. */
export async function useInstances(applies: readonly AppliesRule[] = []): Promise<Instances> {
  const environment = {
    DATABASE_URL: await createDatabase("postgres"),
    SCORECARDS: packages.join(),
    LOG_LEVEL: "warn",
    POLICY: "policy.yaml",
  };
  const weights = { bill: 0.1, waste: 0.2, budget: 33.4 };
  const directory = await useInstalled({ cost: weights });
  await writeFile(join(directory, "policy.yaml"), policyFile(applies));
  const [one, other] = await Promise.all([
    useServiceProcess(environment, directory),
    useServiceProcess(environment, directory),
  ]);
  const scorecards = await loadScorecards(packages, directory);
  return {
    databaseUrl: environment.DATABASE_URL,
    processes: [one, other],
    addresses: [await one.address(), await other.address()],
    scorecards,
    async age(scores, seed) {
      const shares = fc.sample(fc.constantFrom(0.1, 0.9, 1.1, 1.9, 2.1, 3), { seed, numRuns: scores.length });
      const older = scores.map((score, index) => {
        const card = scorecards.find(({ name }) => name === score.scorecard);
        const { maxAgeHours = 10_000 } = card?.metrics.find(({ name }) => name === score.metric) ?? {};
        const milliseconds = (shares[index] ?? 0) * maxAgeHours * 3_600_000;
        return { ...score, reported_at: new Date(Date.now() - milliseconds).toISOString() };
      });
      const changed = await query(
        environment.DATABASE_URL,
        `UPDATE scores SET reported_at = older.reported_at
         FROM json_to_recordset($1::json) AS older
           (area text, team text, app text, env text, scorecard text, metric text, reported_at timestamptz)
         JOIN scores_by_name AS named USING (area, team, app, env, scorecard, metric)
         WHERE (scores.target_id, scores.metric_id) = (named.target_id, named.metric_id)`,
        [JSON.stringify(older)],
      );
      if (changed.rowCount !== scores.length)
        throw new Error(`${changed.rowCount} of ${scores.length} scores are older`);
      return older;
    },
    async waive(scores, seed) {
      const waivers = randomWaivers(seed, scores, scorecards);
      await query(environment.DATABASE_URL, insertRows, [JSON.stringify(waivers)]);
      return waivers;
    },
    async register(registry) {
      await query(environment.DATABASE_URL, registerRows, [JSON.stringify(registry)]);
    },
    async useFormer() {
      const former = await useInstalled({ cost: { ...weights, rent: 10 }, paper: { printing: 1 } });
      await writeFile(join(former, "policy.yaml"), policyFile([]));
      const process = await useServiceProcess(environment, former);
      return {
        address: await process.address(),
        async stop() {
          process.kill("SIGTERM");
          await process.exit;
        },
      };
    },
  };
}

/** `startPrometheus` for one test. */
export async function usePrometheus(options: PrometheusOptions): Promise<Prometheus> {
  const prometheus = await startPrometheus(options);
  onTestFinished(() => prometheus.stop());
  return prometheus;
}
