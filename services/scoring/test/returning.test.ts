import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { saveProblem } from "../src/store/problems.ts";
import { changeColumns } from "../src/store/score-changes.ts";
import { waiverColumns } from "../src/store/waivers.ts";
import { hostileNames } from "./support/hostile-names.ts";
import { problem } from "./support/problem-report.ts";
import { useService } from "./support/service.ts";

const source = join(import.meta.dirname, "../src");
const plain = /^(?:\*|1|[a-z_.]+(?:, [a-z_.]+)*)$/;

test("no statement computes anything in RETURNING, since a distributed PostgreSQL refuses it", () => {
  const lists = readdirSync(source, { recursive: true, encoding: "utf8" })
    // A move changes the area, by which a table would be distributed, and that is refused whatever it returns.
    .filter((file) => file.endsWith(".ts") && !/migrations|moving/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(source, file), "utf8").matchAll(/\bRETURNING\s+(.*?)\s*(?:[\n`"]|\),)/gs)].map(
        ([, list = ""]) => ({
          file,
          list: list.replace(`\${changeColumns}`, changeColumns).replace(`\${waiverColumns}`, waiverColumns),
        }),
      ),
    );
  expect(lists.length).toBeGreaterThan(10);
  expect(lists.filter(({ list }) => !plain.test(list))).toEqual([]);
});

test("the ids of a problem and its thread are those that PostgreSQL computes of the row", async () => {
  const { database } = await useService();
  for (const name of hostileNames) {
    const stored = await saveProblem(database.knex, { ...problem, area: name, app: name, count: 1 });
    const { rows } = await database.knex.raw(
      `SELECT encode(sha256(convert_to(area, 'UTF8') || key), 'hex') AS problem, extract(epoch FROM opened_at) AS opened
       FROM problems WHERE area = ?::text`,
      [name],
    );
    expect(stored).toMatchObject({ problem: rows[0].problem, thread: `${rows[0].problem}@${rows[0].opened}` });
  }
});
