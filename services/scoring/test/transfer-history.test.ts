import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportRows } from "../src/transfer/export.ts";
import { changesOf, historyFaults } from "./support/changes.ts";
import { newScore } from "./support/new-score.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, enginesInZones, startService, type TestService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";
import { change, importRows, lines, rollUpDay, score, useServiceOn } from "./support/transfer.ts";

const at = (hour: number) => `2026-01-31T${String(hour).padStart(2, "0")}:00:00Z`;

/** A score as a version without history exports it, `hour` o'clock. */
const former = (area: string, hour: number, value: number) => ({
  ...{ ...score, area, score: value, reported_at: at(hour) },
});

/** A score that last changed at `hour` o'clock. */
const changed = (area: string, hour: number, value: number, before: number | undefined) => ({
  ...{
    ...former(area, hour, value),
    changed_at: at(hour),
    changed_by: "report",
    former_score: before,
  },
});

/** A change at `hour` o'clock. */
const step = (area: string, hour: number, value: number, before: number | undefined) => ({
  ...{ ...change, area, at: at(hour), score: value, former: before },
});

describe.each(enginesInZones)("an import of history on %s in %s", (kind, zone) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ zone, databaseUrl: await createDatabase(kind) });
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

  test("ends the line of two that grew apart with the report that counts, whichever side has it", async () => {
    const here = [step("apart", 9, 5, undefined), { ...changed("apart", 9, 5, undefined), reported_at: at(12) }];
    const file = [step("apart", 10, 7, undefined), changed("apart", 10, 7, undefined)];
    await take(...here);
    expect(await take(...file)).toMatchObject({ scores: 0, score_changes: 1 });
    const line = [
      [null, 5],
      [5, 7],
      [7, 5],
    ];
    expect(await steps("apart")).toEqual(line);
    expect(await take(...file)).toMatchObject({ scores: 0, score_changes: 0 });
    expect(await steps("apart")).toEqual(line);
    const rename = (rows: object[]) => rows.map((row) => ({ ...row, area: "turned" }));
    await take(...rename(file));
    await take(...rename(here));
    expect(await steps("turned")).toEqual(line);
    expect(await faults()).toEqual([]);
  });

  test("adds the change that led to a newer score of the file, if the file lacks it", async () => {
    await take(step("lacking", 9, 5, undefined), step("lacking", 10, 6, 5), changed("lacking", 10, 6, 5));
    const file = [{ ...changed("lacking", 11, 8, 7), reported_at: at(12), changed_by: "rules" }];
    expect(await take(...file)).toMatchObject({ scores: 1, score_changes: 0 });
    const line = [
      [null, 5],
      [5, 6],
      [6, 8],
    ];
    expect(await steps("lacking")).toEqual(line);
    expect(await take(...file)).toMatchObject({ scores: 0, score_changes: 0 });
    expect(await steps("lacking")).toEqual(line);
    const { rows } = await service.database.knex.raw(
      "SELECT at, cause FROM score_changes JOIN scores ON id = score_id WHERE area = 'lacking' ORDER BY at DESC LIMIT 1",
    );
    expect(rows).toEqual([{ at: new Date(at(11)), cause: "rules" }]);
    expect(await faults()).toEqual([]);
  });

  test("joins two names of the file that are one here", async () => {
    const moved = { table: "app_aliases", area: "old", to_area: "one", moved_at: at(8) };
    await take(moved);
    const file = ["old", "one"].flatMap((area, place) => [
      step(area, 9 + place, 5 + place, undefined),
      { ...changed(area, 9 + place, 5 + place, undefined), reported_at: at(12 - place) },
    ]);
    expect(await take(...file)).toMatchObject({ scores: 1, score_changes: 2 });
    expect(await steps("one")).toEqual([
      [null, 5],
      [5, 6],
      [6, 5],
    ]);
    expect(await take(...file)).toMatchObject({ scores: 0, score_changes: 0 });
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
  expect(printed.join("")).toBe([...written, '{"lines":1}'].map((line) => `${line}\n`).join(""));
});
