import { describe, expect, test } from "vitest";
import { exportRows } from "../src/transfer/export.ts";
import { ageScores, dueDay, missDays, rollUpsOf, writeDays } from "./support/days.ts";
import { useHolder } from "./support/holder.ts";
import { newScore } from "./support/new-score.ts";
import { saveScores } from "./support/save-scores.ts";
import { engines, until } from "./support/service.ts";
import { change, importRows, lines, rollUpDay, score, useServiceOn } from "./support/transfer.ts";

const noon = "2026-01-31T12:00:00Z";
const evening = "2026-01-31T20:00:00.5Z";
const midnight = "2026-02-01T00:00:00Z";
const night = "2026-02-01T00:00:00.000001Z";

/** What a database knows: the changes of a score by their times, and when the score was last reported. */
interface Knowledge {
  readonly changes: readonly string[];
  readonly reported?: string;
  readonly names?: { readonly team?: string; readonly app?: string; readonly env?: string; readonly metric?: string };
}

/** The rows of a score; each change goes up by one. */
function known({ changes, reported, names = {} }: Knowledge): object[] {
  const at = changes.at(-1) ?? noon;
  const value = (index: number) => 10 + index;
  return [
    {
      ...{ ...score, ...names, score: value(changes.length - 1), reported_at: reported ?? at },
      ...{
        changed_at: at,
        changed_by: "report",
        former_score: changes.length > 1 ? value(changes.length - 2) : undefined,
      },
    },
    ...changes.map((at, index) => ({
      ...{ ...change, ...names, at, score: value(index), former: index > 0 ? value(index - 1) : undefined },
    })),
  ];
}

const targets: Readonly<Record<string, object>> = {
  area: { team: undefined, app: undefined },
  team: { app: undefined },
  cart: {},
  till: { app: "till" },
  search: { team: "search", app: undefined },
  staging: { env: "staging", team: undefined, app: undefined },
};

/** Recorded roll-ups of two days, whose score tells who recorded them. */
const recorded = (by: number): object[] =>
  Object.values(targets).flatMap((names) =>
    ["2026-01-31", "2026-02-01"].map((day) => ({ ...rollUpDay, ...names, day, score: by })),
  );

const [here, file] = [1, 2];

const cases: Readonly<Record<string, { here: Knowledge[]; file: Knowledge[]; replaced: readonly string[] }>> = {
  "a change of before that only the file knows": {
    here: [{ changes: [noon] }],
    file: [{ changes: [noon, evening] }],
    replaced: ["area", "team", "cart"],
  },
  "a change of that very moment that only the file knows": {
    here: [{ changes: [noon] }],
    file: [{ changes: [noon, midnight] }],
    replaced: ["area", "team", "cart"],
  },
  "a metric that only the file knows": {
    here: [{ changes: [noon] }],
    file: [{ changes: [noon] }, { changes: [evening], names: { metric: "sast" } }],
    replaced: ["area", "team", "cart"],
  },
  "an application that only the file knows": {
    here: [{ changes: [noon] }],
    file: [{ changes: [noon] }, { changes: [evening], names: { app: "till" } }],
    replaced: ["area", "team", "till"],
  },
  "a repeated report that only the file knows": {
    here: [{ changes: [noon] }],
    file: [{ changes: [noon], reported: evening }],
    replaced: ["area", "team", "cart"],
  },
  "a change of before that only the file knows, and one of later that is only here": {
    here: [{ changes: [noon, night] }],
    file: [{ changes: [noon, evening] }],
    replaced: ["area", "team", "cart"],
  },
  "a change of later that only the file knows": {
    here: [{ changes: [noon], reported: night }],
    file: [{ changes: [noon, "2026-02-01T00:00:00.000002Z"] }],
    replaced: [],
  },
  "a change of before that is only here": {
    here: [{ changes: [noon, evening] }],
    file: [{ changes: [noon] }],
    replaced: [],
  },
  "changes of before on both sides": {
    here: [{ changes: [noon, evening] }],
    file: [{ changes: [noon, "2026-01-31T21:00:00Z"] }],
    replaced: [],
  },
  "the same on both sides": {
    here: [{ changes: [noon, evening] }],
    file: [{ changes: [noon, evening] }],
    replaced: [],
  },
  "changes of before in different applications": {
    here: [{ changes: [noon, evening] }, { changes: [noon], names: { app: "till" } }],
    file: [{ changes: [noon] }, { changes: [noon, evening], names: { app: "till" } }],
    replaced: ["till"],
  },
};

describe.each(engines)("a day that both sides recorded, on %s,", (kind) => {
  test("stays, unless the file knew more of it than this database", async () => {
    const { database } = await useServiceOn(kind);
    for (const [name, sides] of Object.entries(cases)) {
      await database.knex.raw("DELETE FROM roll_up_days");
      for (const table of ["roll_up_targets", "score_changes", "scores"])
        await database.knex.raw(`DELETE FROM ${table}`);
      await importRows(database, lines(...sides.here.flatMap(known), ...recorded(here)));
      const { roll_up_days } = await importRows(database, lines(...recorded(file), ...sides.file.flatMap(known)));
      const days = await rollUpsOf(database.knex, "2026-02-01");
      const replaced = Object.entries(targets).flatMap(([target, names]) => {
        const wanted = { area: "shop", team: "checkout", app: "cart", env: "prod", ...names };
        const found = days.find(
          ({ area, team, app, env }) =>
            area === wanted.area &&
            (team ?? undefined) === wanted.team &&
            (app ?? undefined) === wanted.app &&
            env === wanted.env,
        );
        return found?.score === file ? [target] : [];
      });
      expect.soft(replaced, name).toEqual(sides.replaced);
      expect.soft(roll_up_days, name).toBe(sides.replaced.length);
      const before = await rollUpsOf(database.knex, "2026-01-31");
      expect
        .soft(
          before.map(({ score }) => score),
          name,
        )
        .toEqual(before.map(() => here));
    }
  });

  test("is the one of the cell that got the reports, when a move between cells takes more than a day", async () => {
    const [from, to] = [await useServiceOn(kind), await useServiceOn(kind)];
    const report = (service: typeof from, app: string, value: number) =>
      saveScores(service.database.knex, [newScore({ app, score: value })]);
    await report(from, "cart", 80);
    await report(from, "till", 60);
    await importRows(to.database, exportRows(from.database));
    await report(from, "cart", 40);
    for (const { database } of [from, to]) {
      await ageScores(database.knex, 1);
      await missDays(database.knex, 1);
      await writeDays(database);
    }
    const day = await dueDay(to.database.knex);
    expect(await rollUpsOf(to.database.knex, day)).not.toEqual(await rollUpsOf(from.database.knex, day));
    await report(to, "cart", 90); // the pipelines have moved
    await importRows(to.database, exportRows(from.database));
    expect(await rollUpsOf(to.database.knex, day)).toEqual(await rollUpsOf(from.database.knex, day));
    expect(await importRows(to.database, exportRows(from.database))).toMatchObject({ roll_up_days: 0 });
  });
});

test("an import waits while a day is being written, and holds no score meanwhile", async () => {
  const { database, databaseUrl } = await useServiceOn("postgres");
  await importRows(database, lines({ ...score, reported_at: noon }));
  const writer = await useHolder(databaseUrl, "SELECT FROM roll_ups_until FOR UPDATE");
  let isOver = false;
  const imported = importRows(database, lines({ ...score, reported_at: evening }, rollUpDay)).finally(() => {
    isOver = true;
  });
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
