import { application } from "@maturity/application";
import { createEngine, defineMetric, defineScorecard, type Engine, piecewise } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { rawInputs } from "./support/bad-raw.ts";
import { post, rows } from "./support/requests.ts";
import { createDatabase, engines, startService, type TestService } from "./support/service.ts";

const spend = piecewise("eur", [
  [0, 100],
  [1_000, 0],
]);

/** Its validators convert, fill in, rename and drop; its last scorer changes its input. */
const cost = defineScorecard({
  name: "cost",
  dimension: "run",
  weight: 1,
  package: { name: "@acme/cost", version: "1.0.0" },
  metrics: [
    defineMetric({
      name: "converted",
      title: "A text that becomes a number",
      weight: 1,
      raw: z.object({ eur: z.string().transform((text) => Number(text)) }),
      score: spend,
    }),
    defineMetric({
      name: "filled_in",
      title: "Defaults, and a field of another name",
      weight: 1,
      raw: z
        .object({ euros: z.number().default(250), factor: z.number().default(2) })
        .transform(({ euros, factor }) => ({ eur: euros * factor })),
      score: spend,
    }),
    defineMetric({
      name: "changed_in_place",
      title: "A scorer that takes its input apart",
      weight: 1,
      raw: z.custom<{ bills: number[] }>((value) => Array.isArray((value as { bills: unknown }).bills)),
      score: ({ bills }) => spend({ eur: bills.sort((a, b) => a - b).pop() ?? 0 }),
    }),
  ],
});

const engine: Engine = createEngine([security, reliability, application, cost]);

const euros = fc.oneof(fc.nat(2_000), fc.double({ min: 0, max: 2_000, noNaN: true }));

/** What a scanner may add. No field of a metric. */
const extra = fc.dictionary(
  fc.constantFrom("scanner", "version", "a b", "factors"),
  fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom("a", " ", "é", "😀") }),
);

const ofCost: Readonly<Record<string, fc.Arbitrary<object>>> = {
  "cost.converted": fc.record({ eur: euros.map(String) }),
  "cost.filled_in": fc.record({ euros, factor: fc.nat(3) }, { requiredKeys: [] }),
  "cost.changed_in_place": fc.record({ bills: fc.array(euros, { minLength: 1, maxLength: 5 }) }),
};

const shipped = Object.entries(rawInputs).map(([metric, fields]): [string, fc.Arbitrary<object>] => [
  metric,
  fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([field, range]) => {
        if (range === "flag") return [field, fc.constantFrom<unknown>(true, false, 0, 1)];
        const [min, max, whole] = range;
        return [field, whole ? fc.oneof(fc.nat(20), fc.integer({ min, max })) : fc.double({ min, max, noNaN: true })];
      }),
    ),
  ),
]);

const metrics = [...shipped, ...Object.entries(ofCost)];

test("every metric is tried", () => {
  const registered = engine.scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => `${name}.${metric.name}`),
  );
  expect(metrics.map(([metric]) => metric).sort()).toEqual(registered.sort());
});

describe.each(engines)("what is stored on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind), engine });
  });
  beforeEach(() => service.database.knex.raw("TRUNCATE scores"));
  afterAll(() => service.stop());

  test.each(metrics)("of %s is what came, and scores the same again", async (name, input) => {
    const [scorecard = "", metric = ""] = name.split(".");
    const raws = fc.sample(
      fc.tuple(extra, input).map(([more, raw]) => ({ ...more, ...raw })),
      100,
    );
    // As the database reads JSON: -0 is 0 there.
    const sent = raws.map((raw) => JSON.parse(JSON.stringify(raw)));
    const scores = sent.map((raw, index) => ({
      ...{ area: "shop", team: "checkout", app: String(index).padStart(3, "0"), env: "prod" },
      ...{ scorecard, metric, raw },
    }));
    const { status, body } = await post(service, "/scores", { scores });
    expect(status, JSON.stringify(body.details)).toBe(200);

    const stored = new Map((await rows(service, "scores")).map((row) => [row.app, row]));
    for (const { app, raw } of scores) {
      const row = stored.get(app);
      expect(row?.raw).toEqual(raw);
      expect(engine.score(scorecard, metric, row?.raw).score.toFixed(2)).toBe(row?.score);
    }
  });
});
