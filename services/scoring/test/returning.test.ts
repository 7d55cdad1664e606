import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waiverColumns } from "../src/store/waivers.ts";

const source = join(import.meta.dirname, "../src");
const plain = /^(?:\*|1|[a-z_.]+(?:, [a-z_.]+)*)$/;

test("no statement computes anything in RETURNING, since a distributed PostgreSQL refuses it", () => {
  const lists = readdirSync(source, { recursive: true, encoding: "utf8" })
    // A merge gives a score another target, by which the table would be distributed, and that is refused whatever it returns.
    .filter((file) => file.endsWith(".ts") && !/migrations|moving/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(source, file), "utf8").matchAll(/\bRETURNING\s+(.*?)\s*(?:[\n`"]|\),)/gs)].map(
        ([, list = ""]) => ({
          file,
          list: list.replace(`\${waiverColumns}`, waiverColumns),
        }),
      ),
    );
  expect(lists.length).toBeGreaterThan(10);
  expect(lists.filter(({ list }) => !plain.test(list))).toEqual([]);
});
