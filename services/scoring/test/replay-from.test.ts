import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadScorecards } from "../src/commands/serve/scorecards.ts";
import type { Replay } from "../src/replay/replay.ts";
import { exportRows } from "../src/transfer/export.ts";
import { newScore } from "./support/new-score.ts";
import { useOtherVersion } from "./support/other-version.ts";
import { insertRows, randomWaivers } from "./support/random-waivers.ts";
import { storedScores } from "./support/replay.ts";
import { saveScores } from "./support/save-scores.ts";
import { shippedEngine, useService } from "./support/service.ts";
import { runCommand, runOn, runWithoutSettings } from "./support/service-command.ts";
import { useDirectory } from "./support/service-process.ts";
import { storeProblem } from "./support/store.ts";

async function useExport(lines: AsyncIterable<string> | Iterable<string>): Promise<string> {
  const file = join(await useDirectory(), "export.jsonl");
  let text = "";
  let count = 0;
  for await (const line of lines) {
    text += `${line}\n`;
    count++;
  }
  text += `{"lines":${count}}\n`;
  await writeFile(file, text);
  return file;
}

test("an export shows what its database does, whatever the clock says", async () => {
  const { database } = await useService();
  await saveScores(database.knex, storedScores(5));
  const older = "reported_at - interval '21 days' * (((target_id * 37 + metric_id * 11) % 256) / 255.0)";
  await database.knex.raw(`UPDATE scores SET reported_at = ${older}, changed_at = ${older}`);
  const { rows } = await database.knex.raw("SELECT * FROM scores_by_name");
  await database.knex.raw(insertRows.replace("$1", "?"), [
    JSON.stringify(randomWaivers(5, rows, shippedEngine.scorecards)),
  ]);
  for (const [index, { area, team, app, env }] of rows.slice(0, 9).entries()) {
    const problem = { area, team, app, env, problem_type: "leak", severity: "critical", details: [] } as const;
    await storeProblem(database.knex, { ...problem, count: index % 2 });
  }
  const said: Replay = JSON.parse(await runOn(database, ["replay", "--format", "json", "--env", "prod"]));
  const file = await useExport(exportRows(database));
  const { code, stdout, stderr } = await runWithoutSettings([
    "replay",
    "--from",
    file,
    "--format",
    "json",
    "--env",
    "prod",
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { as_of, ...found }: Replay = JSON.parse(stdout);
  expect(Math.abs(Date.parse(String(as_of)) - Date.parse(String(said.as_of)))).toBeLessThan(3_600_000);
  const byName = <One extends object>(items: readonly One[]) => items.map((one) => JSON.stringify(one)).sort();
  expect(found.scores).toEqual({ ...said.scores, refusals: expect.anything() });
  expect(byName(found.changed)).toEqual(byName(said.changed));
  expect(found.applications).toBe(said.applications);
  const dropped = await runWithoutSettings(["replay", "--from", file, "--format", "csv", "--max-drop", "0.5"]);
  expect([dropped.code, dropped.stderr]).toEqual([1, expect.stringContaining("--max-drop allows 0.5")]);
});

test.each([
  ["an empty file", "", "line 1: is missing: the last line of an export says how many there are, so this file was cut"],
  ["an export of nothing", '{"lines":0}\n', "has no scores"],
  ["another file", "area,team,app\n", "line 1: is not a JSON object"],
  ["a line of another table", '{"table":"weather"}\n', 'line 1: table must be "apps"'],
  ["a score without its result", '{"table":"scores","area":"a"}\n', "line 1: team is required"],
])("%s is refused", async (_, text, fault) => {
  const file = join(await useDirectory(), "wrong.jsonl");
  await writeFile(file, text);
  const { code, stdout, stderr } = await runWithoutSettings(["replay", "--from", file]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`maturity-service: ${file}: ${fault}`);
  expect(stderr).toContain("; it must be what maturity-service export wrote\n");
});

test("scores of which no package is named are named, and pass no gate", async () => {
  const { database } = await useService();
  await saveScores(database.knex, [
    newScore({ scorecard: "reliability", metric: "sla", raw: { availability_pct: 95 }, score: 0 }),
  ]);
  const file = await useExport(exportRows(database));
  const replay = (SCORECARDS: string) =>
    runCommand(["replay", "--from", file, "--max-drop", "10"], { SCORECARDS }, "ignore");
  const { code, stdout, stderr } = await replay("@maturity/security");
  expect(code).toBe(1);
  expect(stdout).toContain("Of metrics that no package of SCORECARDS has, so they no longer count: 1.");
  expect(stderr).toContain(
    "no package of SCORECARDS has a metric of these scores; it must name the packages of the service",
  );
  expect((await replay("@maturity/reliability")).code).toBe(0);
});

test("a scorer that fails is no refusal of the result: the replay says what it threw, and passes no gate", async () => {
  const { database } = await useService();
  const key = { scorecard: "reliability", metric: "mttr", raw: { minutes: 60 }, score: 50 };
  await saveScores(database.knex, [newScore(key)]);
  const file = await useExport(exportRows(database));
  const metrics = "metrics: shipped.metrics.map((one) => ({ ...one, score() { throw new TypeError('boom'); } })),";
  const { code, stdout, stderr } = await runCommand(
    ["replay", "--from", file, "--max-drop", "0"],
    { SCORECARDS: "@maturity/reliability" },
    "ignore",
    await useOtherVersion("9.0.0", metrics),
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(
    "maturity-service: the result of area/team/app (prod) cannot be scored: reliability.mttr of @maturity/reliability@9.0.0 threw while scoring: TypeError: boom\n    at ",
  );
});

test("a file that is not there is named, and --apply takes none", async () => {
  const missing = await runWithoutSettings(["replay", "--from", "/nowhere/export.jsonl"]);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/^maturity-service: ENOENT.*\/nowhere\/export\.jsonl/),
  ]);
  const both = await runWithoutSettings(["replay", "--from", "a", "--apply"]);
  expect([both.code, both.stderr]).toEqual([
    2,
    expect.stringContaining("'--from <file>' cannot be used with option '--apply'"),
  ]);
});

test("a package that is developed in the current folder is found by its name, beside the weights and reasons of before", async () => {
  const { database } = await useService();
  const raw = { minutes: 60 };
  const { score, scorer } = shippedEngine.score("reliability", "mttr", raw);
  const key = { scorecard: "reliability", raw, scorer };
  await saveScores(database.knex, [
    newScore({ ...key, metric: "mttr", score }),
    newScore({ ...key, metric: "sla", raw: { availability_pct: 95 }, score: 0 }),
  ]);
  const file = await useExport(exportRows(database));
  const directory = await useDirectory();
  await mkdir(directory, { recursive: true });
  await writeFile(
    join(directory, "package.json"),
    JSON.stringify({ name: "@acme/own", version: "2.0.0", type: "module", exports: "./index.js" }),
  );
  const shipped = fileURLToPath(new URL("../../../packages/reliability/src/index.ts", import.meta.url));
  await writeFile(
    join(directory, "index.js"),
    `import { reliability } from ${JSON.stringify(shipped)};
     export const own = { ...reliability, package: { name: "@acme/own", version: "2.0.0" }, metrics: reliability.metrics.map(
       (metric) => metric.name === "mttr" ? { ...metric, weight: 90, score: () => ({ score: 61, reasons: [{ field: "minutes", value: 60, text: "new" }] }) } : metric) };`,
  );
  const before = await useOtherVersion("1.0.0");
  const run = (...options: string[]) =>
    runCommand(
      ["replay", "--from", file, "--format", "json", ...options],
      { SCORECARDS: "@acme/own" },
      "ignore",
      directory,
    );
  const { code, stdout, stderr } = await run();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ scorers: ["@acme/own@2.0.0"], settings: [] },
    scores: {
      moved: 1,
      other_scorer: 2,
      largest: [{ from: { score, reasons: null }, to: { score: 61, reasons: [{ text: "new" }] } }],
    },
  });
  const withBefore = await runCommand(
    ["replay", "--from", file, "--format", "json", "--before", before],
    { SCORECARDS: "@maturity/reliability" },
    "ignore",
    directory,
  );
  expect(JSON.parse(withBefore.stdout)).toMatchObject({ compared_by: "before", scores: { moved: 0, other_scorer: 0 } });
  const nothingBefore = await run("--before", "nowhere");
  expect([nothingBefore.code, nothingBefore.stdout]).toEqual([1, ""]);
  expect(nothingBefore.stderr).toContain("--before: nowhere holds no package or file of SCORECARDS that is not in");
  expect(nothingBefore.stderr).toContain("npm install --prefix nowhere @acme/own@latest");
});

test("a scorecard file that changed is compared with the former one, as a package is", async () => {
  const file = (
    halvedBy: number,
  ) => `{ contract: 1, name: docs, version: 1.0.0, dimension: build, weight: 5, metrics: [{
    name: dead_links, title: Links, curve: { halving: { links: ${halvedBy} } }, cases: [{ raw: { links: 0 }, score: 100 }] }] }`;
  const [now, before] = [await useDirectory(), await useDirectory()];
  await writeFile(join(now, "docs.yaml"), file(2));
  await writeFile(join(before, "docs.yaml"), file(4));
  const [former] = await loadScorecards(["docs.yaml"], before);
  const scorer = `docs@${former?.package.version}`;
  const { database } = await useService();
  const key = { scorecard: "docs", metric: "dead_links", raw: { links: 4 } };
  await saveScores(database.knex, [newScore({ ...key, score: 50, scorer })]);
  const lines = await useExport(exportRows(database));
  const run = (...options: string[]) =>
    runCommand(["replay", "--from", lines, "--format", "json", ...options], { SCORECARDS: "docs.yaml" }, "ignore", now);
  const { stdout } = await run("--before", before);
  expect(JSON.parse(stdout)).toMatchObject({
    scorers: [expect.stringMatching(/^docs@1\.0\.0\+/)],
    scores: {
      ...{ moved: 1, other_scorer: 1 },
      largest: [{ from: { score: 50, scorer, reasons: [{ value: 4 }] }, to: { score: 25 } }],
    },
  });
  const { code, stderr } = await run("--before", "nowhere");
  expect(code).toBe(1);
  expect(stderr).toContain("put the former file there, as nowhere/docs.yaml");
});
