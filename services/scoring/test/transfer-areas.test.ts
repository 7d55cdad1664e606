import { describe, expect, test } from "vitest";
import type { Database } from "../src/store/database.ts";
import { exportRows } from "../src/transfer/export.ts";
import { engines } from "./support/service.ts";
import { runCommand } from "./support/service-command.ts";
import { change, collect, importRows, lines, problem, rollUpDay, score, useServiceOn } from "./support/transfer.ts";

describe.each(engines)("areas on %s", (kind) => {
  const areas = ["shop", "it's", 'a "b" \\?', "payments"];

  /** A service with rows of every table in each area. */
  async function useAreas() {
    const service = await useServiceOn(kind);
    const rows = areas.flatMap((area) =>
      [score, problem, change, rollUpDay, { ...rollUpDay, team: undefined, app: undefined, count: 1, lowest: 1 }].map(
        (row) => ({ ...row, area }),
      ),
    );
    await importRows(service.database, lines(...rows));
    return service;
  }
  const areaOf = (line: string): string => JSON.parse(line).area;
  const exportOf = async (database: Database, ...asked: string[]) => {
    const found: string[] = [];
    for await (const line of exportRows(database, asked)) found.push(line);
    return found;
  };

  test("an export of some areas has the lines of these in the whole export, and no others", async () => {
    const { database } = await useAreas();
    const all = await collect(database);
    expect(new Set(all.map(areaOf))).toEqual(new Set(areas));
    for (const asked of [areas.slice(0, 1), areas.slice(1, 3), areas]) {
      const some = await exportOf(database, ...asked);
      expect(some.toSorted()).toEqual(all.filter((line) => asked.includes(areaOf(line))).toSorted());
    }
  });

  test("an import of some areas stores these alone, and says what it stored", async () => {
    const all = await collect((await useAreas()).database);
    const { database } = await useServiceOn(kind);
    expect(await importRows(database, lines(...all), areas.slice(1, 3))).toMatchObject({ scores: 2, problems: 2 });
    const stored = await collect(database);
    expect(stored.toSorted()).toEqual(all.filter((line) => areas.slice(1, 3).includes(areaOf(line))).toSorted());
  });

  test("an area of which there is nothing is an error that names it, and an import stores nothing then", async () => {
    const { database } = await useAreas();
    await expect(exportOf(database, "shop", "shopp")).rejects.toThrow('nothing is stored of the area "shopp"');
    const other = await useServiceOn(kind);
    const all = await collect(database);
    await expect(importRows(other.database, lines(...all), ["shop", "shopp"])).rejects.toThrow('of the area "shopp"');
    expect(await collect(other.database)).toEqual([]);
  });

  test("an import of areas that are there is refused by their names, whatever is there of them, and stores nothing", async () => {
    const file = await collect((await useAreas()).database);
    const other = await useServiceOn(kind);
    const named = { team: "checkout", app: "cart" };
    const there = [
      { ...score, area: "shop" },
      { ...rollUpDay, area: "it's" },
      { table: "apps", area: areas[2], ...named, labels: {}, registered_at: score.reported_at },
      { table: "former_names", area: "old", to_area: "payments", moved_at: score.reported_at },
      ...Array.from({ length: 9 }, (_, index) => ({ ...problem, area: `area-${index}` })),
    ];
    await importRows(other.database, lines(...there));
    const before = await collect(other.database);
    const refused = (names: string) => `the store has the area ${names} already;`;
    await expect(importRows(other.database, lines(...file))).rejects.toThrow(
      refused(['"a \\"b\\" \\\\?"', '"it\'s"', '"payments"', '"shop"'].join(", ")),
    );
    await expect(importRows(other.database, lines(...there))).rejects.toThrow(
      refused(
        `"a \\"b\\" \\\\?", ${[0, 1, 2, 3, 4, 5, 6, 7, 8].map((index) => `"area-${index}"`).join(", ")} and 3 more`,
      ),
    );
    await expect(importRows(other.database, lines(...file), ["payments"])).rejects.toThrow(refused('"payments"'));
    expect(await collect(other.database)).toEqual(before);
    expect((await other.database.knex("audit")).length).toBe(1);
  });
});

test("the command takes several areas, and ends with 1 where one has nothing", async () => {
  const { databaseUrl, database } = await useServiceOn("postgres");
  await importRows(database, lines(...["a", "b", "c"].map((area) => ({ ...score, area }))));
  const run = (...args: string[]) => runCommand(["export", ...args], { DATABASE_URL: databaseUrl });
  const { code, stdout } = await run("--area", "a", "--area", "c");
  expect(code).toBe(0);
  expect(
    stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .map(({ area, lines }) => area ?? lines)
      .sort(),
  ).toEqual([2, "a", "c"]);
  expect(await run("--area", "d")).toEqual({
    ...{ code: 1, stdout: "" },
    stderr: 'maturity-service: nothing is stored of the area "d"\n',
  });
});
