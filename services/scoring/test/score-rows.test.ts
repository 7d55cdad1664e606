import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import pg from "pg";
import copyStreams from "pg-copy-streams";
import { expect, inject, onTestFinished, test } from "vitest";
import { readSnapshot } from "../src/store/lines.ts";
import { readScoreRows, type TakeScore } from "../src/store/score-rows.ts";
import { cut } from "./support/cut.ts";
import { createEmptyDatabase, useDatabase } from "./support/empty-database.ts";
import { engines } from "./support/service.ts";

type Row = Parameters<TakeScore>;

/** Added to each time, to be rounded away. */
const microseconds = ["-400", "0", "400"];

const row: fc.Arbitrary<Row> = fc.tuple(
  fc.nat({ max: 2 ** 31 - 1 }),
  fc.nat({ max: 2 ** 15 - 1 }),
  fc.oneof(fc.nat({ max: 10_000 }), fc.constantFrom(0, 1, 10, 9_999, 10_000)).map((hundredths) => hundredths / 100),
  fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2199, 0) }),
  fc.string({ unit: fc.constantFrom("a", "ß", "→", "🙂", " ", "\\", "\t", "\n"), maxLength: 300 }),
);
const rows = fc.array(row, { minLength: 1, maxLength: 40 });

function selectOf(rows: readonly Row[]): string {
  const values = rows.map(
    ([target, metric, score, time, text], index) =>
      `(${target}, ${metric}::smallint, ${score}::numeric(5,2),
        '${new Date(time).toISOString()}'::timestamptz + interval '${microseconds[index % 3]} microseconds',
        ${text === "" ? "NULL" : pg.escapeLiteral(text)})`,
  );
  return `SELECT * FROM (VALUES ${values.join(", ")}) AS given`;
}

test.each(engines)("rows of scores are what the store has: %s", async (engine) => {
  const database = useDatabase(await createEmptyDatabase(engine));
  await fc.assert(
    fc.asyncProperty(rows, async (rows) => {
      const found: Row[] = [];
      await readSnapshot(database, database.reads, (lines) =>
        lines.scores(
          selectOf(rows),
          (...row) => found.push(row),
          () => undefined,
        ),
      );
      expect(found).toEqual(rows);
    }),
    { numRuns: 30 },
  );
});

test("rows of scores are the same wherever a piece of them ends", async () => {
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  onTestFinished(() => client.end());
  await fc.assert(
    fc.asyncProperty(rows, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (rows, sizes) => {
      const copy = copyStreams.to(`COPY (${selectOf(rows)}) TO STDOUT WITH (FORMAT binary)`);
      const bytes = await buffer(client.query(copy));
      const found: Row[] = [];
      await readScoreRows(
        Readable.from(cut(bytes, sizes)),
        (...row) => found.push(row),
        () => undefined,
      );
      expect(found).toEqual(rows);
    }),
    { numRuns: 30 },
  );
});
