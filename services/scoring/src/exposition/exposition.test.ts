import { expect, test } from "vitest";
import { contentTypes, exposition, type Format, type Samples } from "./exposition.ts";
import { defaultFamilies, type Family, header } from "./series.ts";

/** Two pieces for each series, to see that they come out in order. */
const samples: Samples = async function* ({ name }) {
  yield `${name}{of="test"} 1\n`;
  yield Buffer.from(`${name}{of="test"} 2\n`);
};

async function text(wanted: readonly Family[], format: Format = "text/plain"): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of exposition(new Set(wanted), { samples }, format)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString("utf8");
}

test("a family opens with what it means and that it is a gauge", () => {
  expect(header({ name: "a_b", help: "What it is." })).toBe("# HELP a_b What it is.\n# TYPE a_b gauge\n");
});

test("every family comes once, each under its header", async () => {
  const all = await text(defaultFamilies);
  expect([...all.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name)).toEqual([
    "maturity_metric_weight",
    "maturity_metric_max_age_seconds",
    "maturity_scorecard_weight",
    "maturity_score",
    "maturity_score_measured_timestamp_seconds",
    "maturity_problem_count",
    "maturity_app_registered",
    "maturity_metric_waived",
    "maturity_metric_exempt",
    "maturity_problem_waived",
    "maturity_waiver_expiry_timestamp_seconds",
    "maturity_campaign_members",
    "maturity_campaign_met",
    "maturity_campaign_line_ratio",
    "maturity_campaign_due_timestamp_seconds",
    "maturity_rules_changed_timestamp_seconds",
  ]);
  expect(all).toContain('gauge\nmaturity_score{of="test"} 1\nmaturity_score{of="test"} 2\n# HELP');
  expect(all.endsWith('maturity_rules_changed_timestamp_seconds{of="test"} 2\n')).toBe(true);
});

test.each(defaultFamilies)("%s alone has nothing of the others", async (family) => {
  const alone = await text([family]);
  const own: Readonly<Record<string, RegExp>> = {
    scores: /^maturity_score$/,
    timestamps: /^maturity_score_measured/,
    problems: /^maturity_problem_count$/,
    registry: /^maturity_app_registered$/,
    waivers: /waived|waiver|exempt/,
    weights: /_weight|_max_age/,
    campaigns: /_campaign_/,
    rules: /_rules_changed_/,
  };
  for (const [, name] of alone.matchAll(/^# TYPE (\S+)/gm)) expect(name).toMatch(own[family] ?? /none/);
  expect(/_weight|_max_age/.test(alone)).toBe(family === "weights");
  expect(alone).toMatch(/^# HELP /);
});

test("nothing wanted is nothing", async () => {
  expect(await text([])).toBe("");
});

test("OpenMetrics ends with its end mark, the text format without", async () => {
  expect(await text(["scores"], "application/openmetrics-text")).toBe(`${await text(["scores"])}# EOF\n`);
  expect(contentTypes).toEqual({
    "text/plain": "text/plain; version=0.0.4; charset=utf-8",
    "application/openmetrics-text": "application/openmetrics-text; version=1.0.0; charset=utf-8",
  });
});

test("a failure midway is passed on, so that half an exposition never ends as a whole one", async () => {
  const broken: Samples = async function* ({ name }) {
    yield `${name} 1\n`;
    throw new Error("the database is gone");
  };
  const pieces: unknown[] = [];
  const read = async () => {
    for await (const piece of exposition(
      new Set<Family>(["scores"]),
      { samples: broken },
      "application/openmetrics-text",
    ))
      pieces.push(piece);
  };
  await expect(read()).rejects.toThrow("the database is gone");
  expect(pieces.at(-1)).toBe("maturity_score 1\n");
});
