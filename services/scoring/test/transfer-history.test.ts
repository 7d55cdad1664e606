import { describe, expect, test } from "vitest";
import { rewriteNextDay } from "../src/history/rewritten-days.ts";
import { historyFaults } from "./support/changes.ts";
import { dueDay, missDays, rollUpsOf, writeDays } from "./support/days.ts";
import { useHolder } from "./support/holder.ts";
import { newScore } from "./support/new-score.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, enginesInZones, shippedEngine, until, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";
import { change, collect, importRows, lines, rollUpDay, score, useServiceOn } from "./support/transfer.ts";

const at = (hour: number) => `2026-01-31T${hour}:00:00.000000Z`;

/** A score, and the changes that led to it. */
const scored = { ...score, score: 7, former_score: 5, changed_at: at(11), reported_at: at(12) };
const last = { ...change, at: at(11), score: 7, former: 5 };
const first = { ...change, at: at(10), score: 5, former: undefined };

describe.each(enginesInZones)("an import of history on %s in %s", (kind, zone) => {
  test("takes it as it is, in any order of its lines, and a report goes on from there", async () => {
    const { database } = await useService({ zone, databaseUrl: await createDatabase(kind) });
    expect(await importRows(database, lines(last, scored, first, rollUpDay))).toMatchObject({
      ...{ scores: 1, score_changes: 2, roll_up_days: 1 },
    });
    const changes = async () =>
      (await database.knex.raw("SELECT at, former::float8, score::float8 FROM score_changes ORDER BY at")).rows;
    const imported = [
      { at: new Date(at(10)), former: null, score: 5 },
      { at: new Date(at(11)), former: 5, score: 7 },
    ];
    expect(await changes()).toEqual(imported);
    const { area, team, app, env, scorecard, metric } = score;
    await saveScores(database.knex, [newScore({ area, team, app, env, scorecard, metric, score: 9 })]);
    expect(await changes()).toMatchObject([...imported, { former: 7, score: 9 }]);
    expect((await database.knex.raw(historyFaults)).rows).toEqual([]);
    expect(await rollUpsOf(database.knex, rollUpDay.day)).toMatchObject([{ app, score: rollUpDay.score }]);
  });
});

describe.each(engines)("on %s", (kind) => {
  test("the roll-ups of the next day are those of what was imported too", async () => {
    const { database } = await useServiceOn(kind);
    await importRows(database, lines(scored, last, first, rollUpDay));
    await missDays(database.knex, 1);
    await writeDays(database);
    const day = await dueDay(database.knex);
    expect((await rollUpsOf(database.knex, day)).map(({ app }) => app)).toContain("cart");
  });

  test("the roll-ups of days between the file and the import are written from its scores", async () => {
    const { database } = await useServiceOn(kind);
    const written = await dueDay(database.knex);
    const day = new Date(Date.parse(written) - 3 * 86_400_000).toISOString().slice(0, 10);
    await importRows(database, lines(scored, last, first, { ...rollUpDay, day }));
    const { scorecards } = shippedEngine;
    while (await rewriteNextDay(database, { scorecards, actor: "test" }));
    const { rows } = await database.knex.raw(
      "SELECT day::text FROM roll_up_days JOIN roll_up_targets_by_name AS named ON named.id = roll_up_days.target_id WHERE app = 'cart' ORDER BY day",
    );
    expect(rows).toHaveLength(4);
    expect(rows.at(-1)).toEqual({ day: written });
  });

  test("with HISTORY_DAYS=0 an import leaves changes and roll-ups out, and takes the rest", async () => {
    const { database } = await useServiceOn(kind);
    const file = [scored, last, first, rollUpDay, { lines: 4 }].map((row) => `${JSON.stringify(row)}\n`);
    const stdin = () => lines(...file);
    expect(await runOn(database, ["import"], { stdin: stdin(), env: { HISTORY_DAYS: "0" } })).toMatch(
      /^Stored scores: 1, problems: 0, changes of scores: 0, times at which scores were confirmed: 0, roll-ups of days: 0, /,
    );
    expect((await collect(database)).map((line) => JSON.parse(line))).toEqual([scored]);
    const { rows } = await database.knex.raw("SELECT area FROM roll_up_targets");
    expect(rows).toEqual([]);
  });
});

test("an import waits while a day is being written, and holds no score meanwhile", async () => {
  const { database, databaseUrl } = await useServiceOn("postgres");
  await importRows(database, lines(score));
  const writer = await useHolder(databaseUrl, "SELECT FROM roll_ups_until FOR UPDATE");
  let isOver = false;
  const imported = importRows(database, lines(...[score, rollUpDay].map((row) => ({ ...row, area: "store" })))).finally(
    () => {
      isOver = true;
    },
  );
  await until(async () => isOver || (await waiting()));
  expect(isOver).toBe(false);
  await writer.run("UPDATE scores SET score = score"); // the database would end a deadlock by an error
  await writer.end("COMMIT");
  expect(await imported).toMatchObject({ scores: 1, roll_up_days: 1 });

  async function waiting(): Promise<boolean> {
    const { rows } = await database.knex.raw(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  }
});
