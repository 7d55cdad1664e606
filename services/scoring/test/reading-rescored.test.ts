import { createEngine, defineMetric, defineScorecard } from "@maturity/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { newScore } from "./support/new-score.ts";
import { readPage } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { shippedEngine, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";

interface Details {
  readonly metrics: readonly { readonly metric: string; readonly score?: number; readonly rescored?: object | null }[];
}

test("a score of another version has beside it what today's rules make of it, until a replay is applied", async () => {
  const service = await useService();
  const raw = { found: true };
  const noFindings = { critical: 0, high: 0, medium: 0 };
  const today = shippedEngine.score("security", "secret_scan", raw);
  await saveScores(service.database.knex, [
    newScore({ metric: "secret_scan", score: 40, raw, scorer: "@maturity/security@0.0.1" }),
    newScore({ metric: "sast", ...shippedEngine.score("security", "sast", noFindings), raw: noFindings }),
    newScore({ metric: "dast", score: 40, raw: { high: "many" }, scorer: "@maturity/security@0.0.1" }),
  ]);
  const details = async () => {
    const [app] = (await readPage<Details>(service, "/apps", { detail: "true" })).items;
    return Object.fromEntries((app?.metrics ?? []).map((one) => [one.metric, one]));
  };
  const before = await details();
  expect(before.secret_scan).toMatchObject({ score: 40, reasons: null, rescored: today });
  expect(before.dast).toMatchObject({ score: 40, rescored: null });
  expect(before.image_scan).not.toHaveProperty("rescored");
  const listed = async (former_rules: string) =>
    (await readPage<{ metric: string }>(service, "/scores", { former_rules })).items.map(({ metric }) => metric).sort();
  expect([await listed("true"), await listed("false")]).toEqual([["dast", "secret_scan"], ["sast"]]);
  await runOn(service.database, ["replay", "--apply"]);
  expect([await listed("true"), await listed("false")]).toEqual([["dast"], ["sast", "secret_scan"]]);
  const after = await details();
  expect(after.secret_scan).toMatchObject({ score: 0, reasons: today.reasons });
  expect(after.secret_scan).not.toHaveProperty("rescored");
});

const own = createEngine([
  defineScorecard({
    name: "own",
    dimension: "run",
    weight: 1,
    package: { name: "@acme/own", version: "1.0.0" },
    metrics: [
      defineMetric({
        name: "no_json",
        title: "Reasons that JSON cannot hold",
        weight: 1,
        raw: z.looseObject({}),
        score: () => ({ score: 40, reasons: [{ field: "n", value: 12n, text: "n is so" }] }),
      }),
      defineMetric({
        name: "changing",
        title: "A scorer that changes its input",
        weight: 1,
        raw: z.custom<{ bills: number[] }>((value) => typeof value === "object"),
        score: ({ bills }) => ({ score: bills.pop() ?? 0, reasons: [{ field: "bills", value: bills, text: "x" }] }),
      }),
    ],
  }),
]);

test("a list has no reasons where JSON cannot hold them, and each raw as it was reported", async () => {
  const service = await useService({ engine: own });
  const by = { scorecard: "own", score: 40, scorer: "@acme/own@1.0.0" };
  const raws = { changing: { bills: [10, 40] }, no_json: { n: 12 } };
  await saveScores(
    service.database.knex,
    Object.entries(raws).map(([metric, raw]) => newScore({ ...by, metric, raw })),
  );
  const { items } = await readPage<Details["metrics"][number]>(service, "/scores", { detail: "true", sort: "name" });
  expect(items).toMatchObject([
    { metric: "changing", raw: raws.changing, reasons: [{ value: [10] }] },
    { metric: "no_json", raw: raws.no_json, reasons: null },
  ]);
  const [app] = (await readPage<Details>(service, "/apps", { detail: "true" })).items;
  expect(app?.metrics).toMatchObject([
    { metric: "no_json", raw: raws.no_json, reasons: null },
    { metric: "changing", raw: raws.changing },
  ]);
});
