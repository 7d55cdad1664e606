import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { saveScores } from "../src/store/scores.ts";
import { exportRows } from "../src/transfer/export.ts";
import { importRows } from "../src/transfer/import.ts";
import { changesOf, historyFaults } from "./support/changes.ts";
import { newScore } from "./support/new-score.ts";
import { createDatabase, engines, startService, type TestService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";
import { change, lines, rollUpDay, score, useServiceOn } from "./support/transfer.ts";

/** A score as a version without history exports it, `hour` o'clock. */
const former = (area: string, hour: number, value: number) => ({
  ...{ ...score, area, score: value, reported_at: `2026-01-31T${hour}:00:00Z` },
});

/** A score that last changed at `hour` o'clock. */
const changed = (area: string, hour: number, value: number, before: number | undefined) => ({
  ...{
    ...former(area, hour, value),
    changed_at: `2026-01-31T${hour}:00:00Z`,
    changed_by: "report",
    former_score: before,
  },
});

/** A change at `hour` o'clock. */
const step = (area: string, hour: number, value: number, before: number | undefined) => ({
  ...{ ...change, area, at: `2026-01-31T${hour}:00:00Z`, score: value, former: before },
});

describe.each(engines)("an import of history on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
  });
  afterAll(() => service.stop());

  const take = (...rows: object[]) => importRows(service.database, lines(...rows));
  const steps = async (area: string) => {
    const { rows } = await service.database.knex.raw(changesOf(area));
    return rows.map(({ former, score }: { former: number | null; score: number }) => [former, score]);
  };
  const faults = async () => (await service.database.knex.raw(historyFaults)).rows;

  test("begins a history where the file has none, and goes on with it", async () => {
    await take(former("without", 10, 5));
    await take(former("without", 12, 5));
    await take(former("without", 11, 7));
    await take(former("without", 13, 8));
    expect(await steps("without")).toEqual([
      [null, 5],
      [5, 8],
    ]);
    expect(await faults()).toEqual([]);
  });

  test("takes the history of the file as it is, in any order, and adds nothing of its own", async () => {
    const file = [step("with", 11, 7, 5), changed("with", 11, 7, 5), step("with", 10, 5, undefined)];
    expect(await take(...file)).toMatchObject({ scores: 1, score_changes: 2 });
    expect(await steps("with")).toEqual([
      [null, 5],
      [5, 7],
    ]);
    expect(await take(...file)).toMatchObject({ scores: 0, score_changes: 0 });
    expect(await faults()).toEqual([]);
  });

  test("joins it to what was reported here since, in one unbroken line", async () => {
    await saveScores(service.database.knex, [
      newScore({ area: "both", team: "checkout", app: "cart", metric: "dast", score: 9 }),
    ]);
    await take(step("both", 10, 5, undefined), step("both", 11, 7, 5), changed("both", 11, 7, 5));
    expect(await steps("both")).toEqual([
      [null, 5],
      [5, 7],
      [7, 9],
    ]);
    expect(await faults()).toEqual([]);
  });

  test("leaves out changes of a score that nobody has, and a day that is here", async () => {
    expect(await take(step("nobody", 10, 5, undefined))).toMatchObject({ scores: 0, score_changes: 0 });
    expect(await take(rollUpDay, { ...rollUpDay, day: "2026-02-01" })).toMatchObject({ roll_up_days: 2 });
    expect(await take({ ...rollUpDay, score: 1 })).toMatchObject({ roll_up_days: 0 });
  });
});

test("without its history an export is one of a version that knows none", async () => {
  const [from, to] = await Promise.all([useServiceOn("postgres"), useServiceOn("postgres")]);
  for (const value of [1, 2]) await saveScores(from.database.knex, [newScore({ score: value })]);
  await importRows(from.database, lines(rollUpDay));
  const written: string[] = [];
  for await (const line of exportRows(from.database, { withoutHistory: true })) written.push(line);
  expect(written.map((line) => Object.keys(JSON.parse(line)))).toEqual([
    ["table", "area", "team", "app", "env", "scorecard", "metric", "score", "raw", "scorer", "reported_at"],
  ]);
  expect(await importRows(to.database, lines(...written))).toMatchObject({ scores: 1, score_changes: 0 });
  expect((await to.database.knex.raw(historyFaults)).rows).toEqual([]);
  const printed: string[] = [];
  const stdout = new Writable({
    write(chunk, _, done) {
      printed.push(String(chunk));
      done();
    },
  });
  await runOn(from.database, ["export", "--without-history"], { stdout });
  expect(printed.join("")).toBe(written.map((line) => `${line}\n`).join(""));
});
