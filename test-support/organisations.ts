import fc from "fast-check";
import {
  type AnyMetric,
  type AppliesRule,
  defineMetric,
  defineScorecard,
  type Level,
  type Scorecard,
  type ScoreRecord,
  type Target,
  type Waiver,
} from "../packages/core/src/index.ts";
import { severities } from "../packages/core/src/wire.ts";

/** The time at which organisations are read. */
export const readAt: Date = new Date("2026-03-01T12:00:00Z");

/** How many problems of a kind an application has. */
export interface ProblemRecord extends Target {
  readonly problem_type: string;
  readonly severity: (typeof severities)[number];
  /** 0 for one that is resolved. */
  readonly count: number;
}

/** The facts of a registered application. */
export interface Registration extends Omit<Target, "env"> {
  readonly tier: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** All that a roll-up and a level can depend on. */
export interface Organisation {
  readonly scorecards: readonly Scorecard[];
  /** At most one for each key. Some are of scorecards and metrics that are not registered. */
  readonly scores: readonly ScoreRecord[];
  readonly waivers: readonly Waiver[];
  /** To whom metrics apply. */
  readonly applies: readonly AppliesRule[];
  readonly registry: readonly Registration[];
  /** At most one for each key. */
  readonly problems: readonly ProblemRecord[];
}

const hours = (count: number) => new Date(readAt.getTime() + count * 3_600_000);

/** Often 0 or 100, often such that averages meet a bound exactly. */
export const anyScore: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 100),
  fc.integer({ min: 0, max: 20 }).map((fives) => fives * 5),
  fc.double({ min: 0, max: 100, noNaN: true }),
);

const weight = fc.oneof(fc.constantFrom(1e-6, 0.1, 1, 1_000_000), fc.double({ min: 0.001, max: 1_000, noNaN: true }));

const metricNames = ["a", "b", "c"];
const cardNames = ["one", "two", "three"];

/** Three scorecards of three metrics each, some of which age. Each metric takes its score: `{ "score": 80 }`. */
export const anyScorecards: fc.Arbitrary<Scorecard[]> = fc.tuple(
  ...cardNames.map((name) =>
    fc
      .record({
        weight,
        metrics: fc.tuple(
          ...metricNames.map((metric) =>
            fc
              .record({ weight, maxAgeHours: fc.constantFrom(undefined, 0.25, 1, 24) })
              .map(({ maxAgeHours, ...rest }) => metricOf(metric, { ...rest, ...(maxAgeHours && { maxAgeHours }) })),
          ),
        ),
      })
      .map((declared) =>
        defineScorecard({ name, dimension: "run", package: { name: "@acme/random", version: "1.0.0" }, ...declared }),
      ),
  ),
);

interface Raw {
  readonly score: number;
}

function metricOf(name: string, declared: Pick<AnyMetric, "weight" | "maxAgeHours">): AnyMetric {
  return defineMetric({
    name,
    title: name,
    raw: {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value): { value: Raw } | { issues: { message: string }[] } => {
          const { score } = value as { readonly score: unknown };
          const isScore = typeof score === "number" && score >= 0 && score <= 100;
          return isScore ? { value: { score } } : { issues: [{ message: "must be from 0 to 100" }] };
        },
      },
    },
    score: ({ score }: Raw) => ({ score, reasons: [{ field: "score", value: score, text: `the score is ${score}` }] }),
    inputs: { score: { better: "higher" } },
    ...declared,
  });
}

/** A few names of each kind, so that an area, a team and an application share theirs. */
const target = {
  area: fc.constantFrom("x", "y"),
  team: fc.constantFrom("x", "y"),
  app: fc.constantFrom("x", "y", "z"),
  env: fc.constantFrom("prod", "dev"),
};

const scorecard = fc.constantFrom(...cardNames, "gone");
const metric = fc.constantFrom(...metricNames, "gone");

/** The same key twice never. */
function keyed<T extends object>(one: fc.Arbitrary<T>, key: (one: T) => readonly unknown[], most: number) {
  return fc.uniqueArray(one, { selector: (made) => key(made).join(), maxLength: most, size: "max" });
}

const scores = keyed(
  // Quarters of an hour, so that many stand on a border.
  fc.record({
    ...{ ...target, scorecard, metric, score: anyScore },
    reported_at: fc.integer({ min: -204, max: 4 }).map((quarters) => hours(quarters / 4)),
  }),
  ({ area, team, app, env, scorecard, metric }) => [area, team, app, env, scorecard, metric],
  150,
);

const moment = fc.integer({ min: -3, max: 3 }).map(hours);

const waivers: fc.Arbitrary<Waiver[]> = fc.array(
  fc.record(
    { ...target, scorecard, metric, created_at: moment, expires_at: moment, revoked_at: moment },
    { requiredKeys: ["area", "scorecard", "created_at"] },
  ),
  { maxLength: 12 },
);

const tier = fc.constantFrom("1", "2", "3");
const kind = fc.constantFrom("service", "batch", "library");

/** Of these applications and others. */
const registry = keyed(
  fc.record({
    ...{ area: target.area, team: target.team, app: target.app, tier: fc.option(tier, { nil: null }) },
    labels: fc.record({ kind, public: fc.constantFrom("yes", "no") }, { requiredKeys: [] }),
  }),
  ({ area, team, app }) => [area, team, app],
  10,
);

const several = (value: fc.Arbitrary<string>) => fc.uniqueArray(value, { minLength: 1, maxLength: 2 });

const condition = fc
  .record(
    {
      tier: several(tier),
      labels: fc.record({ kind: several(kind), public: fc.constant(["yes"]) }, { requiredKeys: [] }),
      env: several(target.env),
    },
    { requiredKeys: [] },
  )
  .filter(({ tier, labels = {}, env }) => tier !== undefined || env !== undefined || Object.keys(labels).length > 0);

/** Rules of a metric, or of a whole scorecard. Some name what is not registered. */
export const anyApplies: fc.Arbitrary<AppliesRule[]> = fc.array(
  fc.record(
    { scorecard, metric, when: condition, unless: condition, from: fc.constantFrom("2026-03-01", "2026-03-02") },
    { requiredKeys: ["scorecard"] },
  ),
  { maxLength: 4 },
);

const problems = keyed(
  fc.record({
    ...target,
    problem_type: fc.constantFrom("secret", "licence", "x"),
    severity: fc.constantFrom(...severities),
    count: fc.constantFrom(0, 0, 1, 2, 1_000),
  }),
  ({ area, team, app, env, problem_type }) => [area, team, app, env, problem_type],
  40,
);

/**
 * Organisations with several of everything, areas, teams, applications, environments, scorecards, metrics, waivers, rules and
 * problems, of which much is missing, and with zeros: scores and counts of 0, weights near it.
 */
export const anyOrganisation: fc.Arbitrary<Organisation> = fc.record({
  scorecards: anyScorecards,
  scores,
  waivers,
  applies: anyApplies,
  registry,
  problems,
});

const share = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10);

/** One to five levels, whose conditions name what is registered and what is not. */
export const anyLevels: fc.Arbitrary<Level[]> = fc.array(
  fc.record(
    {
      ...{ name: fc.constantFrom("bronze", "silver", "gold"), minScore: anyScore },
      ...{ minFresh: share, maxWaived: share, noOpenProblems: fc.constantFrom(...severities) },
      scorecards: fc.dictionary(scorecard, anyScore, { maxKeys: 3 }),
      metrics: fc.dictionary(
        fc.tuple(scorecard, metric).map((names) => names.join(".")),
        anyScore,
        { maxKeys: 3 },
      ),
    },
    { requiredKeys: ["name"] },
  ),
  { minLength: 1, maxLength: 5 },
);
