import { type AnyMetric, createEngine, defineScorecard, type Engine } from "@maturity/core";
import { expect, test } from "vitest";
import { contentTypes, exposition, type Format, type Samples } from "./exposition.ts";
import { defaultFamilies, type Family, header, weights } from "./families.ts";

const metric = (name: string, weight: number, age: Pick<AnyMetric, "maxAgeHours"> = {}): AnyMetric => ({
  name,
  title: name,
  weight,
  raw: { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as object }) } },
  score: () => ({ score: 1, reasons: [] }),
  ...age,
});

const engine: Engine = createEngine([
  defineScorecard({
    name: "cost",
    dimension: "run",
    weight: 0.5,
    package: { name: "@acme/cost", version: "1.0.0" },
    metrics: [metric("spend", 25), metric("waste", 12.5, { maxAgeHours: 0.5 })],
  }),
]);

const weightLines = `# HELP maturity_metric_weight Weight of a metric in its scorecard, as declared.
# TYPE maturity_metric_weight gauge
maturity_metric_weight{scorecard="cost",metric="spend"} 25
maturity_metric_weight{scorecard="cost",metric="waste"} 12.5
# HELP maturity_metric_max_age_seconds How old the evidence of a metric may be, as declared; there is none for a metric that never ages.
# TYPE maturity_metric_max_age_seconds gauge
maturity_metric_max_age_seconds{scorecard="cost",metric="waste"} 1800
# HELP maturity_scorecard_weight Weight of a scorecard in the score of an application, as declared.
# TYPE maturity_scorecard_weight gauge
maturity_scorecard_weight{scorecard="cost",dimension="run"} 0.5
`;

/** Two pieces for each series, to see that they come out in order. */
const samples: Samples = async function* ({ name }) {
  yield `${name}{of="test"} 1\n`;
  yield Buffer.from(`${name}{of="test"} 2\n`);
};

async function text(wanted: readonly Family[], format: Format = "text"): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of exposition(new Set(wanted), engine, { samples }, format)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString("utf8");
}

test("weights and ages are as declared, metrics before scorecards", () => {
  expect(weights(engine)).toBe(weightLines);
});

test("a family opens with what it means and that it is a gauge", () => {
  expect(header({ name: "a_b", help: "What it is." })).toBe("# HELP a_b What it is.\n# TYPE a_b gauge\n");
});

test("every family comes once, each under its header", async () => {
  const all = await text(defaultFamilies);
  expect(all.startsWith(weightLines)).toBe(true);
  expect([...all.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name)).toEqual([
    "maturity_metric_weight",
    "maturity_metric_max_age_seconds",
    "maturity_scorecard_weight",
    "maturity_score",
    "maturity_score_reported_timestamp_seconds",
    "maturity_problem_count",
    "maturity_app_registered",
    "maturity_metric_waived",
    "maturity_problem_waived",
    "maturity_waiver_expiry_timestamp_seconds",
    "maturity_app_score_change_by_rules",
  ]);
  expect(all).toContain('gauge\nmaturity_score{of="test"} 1\nmaturity_score{of="test"} 2\n# HELP');
  expect(all.endsWith('maturity_app_score_change_by_rules{of="test"} 2\n')).toBe(true);
});

test.each(defaultFamilies)("%s alone has nothing of the others", async (family) => {
  const alone = await text([family]);
  const own: Readonly<Record<string, RegExp>> = {
    scores: /^maturity_score$/,
    timestamps: /^maturity_score_reported/,
    problems: /^maturity_problem_count$/,
    registry: /^maturity_app_registered$/,
    waivers: /waived|waiver/,
    weights: /_weight|_max_age/,
    rules: /_change_by_rules/,
  };
  for (const [, name] of alone.matchAll(/^# TYPE (\S+)/gm)) expect(name).toMatch(own[family] ?? /none/);
  expect(/_weight|_max_age/.test(alone)).toBe(family === "weights");
  expect(alone).toMatch(/^# HELP /);
});

test("nothing wanted is nothing", async () => {
  expect(await text([])).toBe("");
});

test("OpenMetrics ends with its end mark, the text format without", async () => {
  expect(await text(["scores"], "openmetrics")).toBe(`${await text(["scores"])}# EOF\n`);
  expect(contentTypes).toEqual({
    text: "text/plain; version=0.0.4; charset=utf-8",
    openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  });
});

test("a failure midway is passed on, so that half an exposition never ends as a whole one", async () => {
  const broken: Samples = async function* ({ name }) {
    yield `${name} 1\n`;
    throw new Error("the database is gone");
  };
  const pieces: unknown[] = [];
  const read = async () => {
    for await (const piece of exposition(new Set<Family>(["scores"]), engine, { samples: broken }, "openmetrics"))
      pieces.push(piece);
  };
  await expect(read()).rejects.toThrow("the database is gone");
  expect(pieces.at(-1)).toBe("maturity_score 1\n");
});
