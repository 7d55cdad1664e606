import { describe, expect, test, vi } from "vitest";
import { recordAudit } from "../src/store/audit.ts";
import { newScore } from "./support/new-score.ts";
import { report } from "./support/problem-report.ts";
import { type ReadPage, readAll, readPage } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { engines, type TestService } from "./support/service.ts";
import { useServiceOn } from "./support/transfer.ts";

/** Most bytes of results in a page. */
const full = 4 * 1_048_576;

/** A text of so many times 32 random characters, which PostgreSQL cannot pack. */
const random = (times: number | string, row = "target_id") =>
  `(SELECT string_agg(md5(random()::text || part || ${row}), '') FROM generate_series(1, ${times}) AS part)`;

/** The lists with a column that can be large, how a row of each is made, and how it grows. */
const lists: Readonly<
  Record<string, { make(service: TestService, name: string): Promise<unknown>; grow(bytes: number): string }>
> = {
  "/scores?detail=true&sort=name": {
    make: ({ database }, app) => saveScores(database.knex, [newScore({ app })]),
    grow: (bytes) => `UPDATE scores SET raw = jsonb_build_object('text', ${random(bytes / 32)})`,
  },
  "/apps?detail=true&sort=name": {
    make: ({ database }, app) => saveScores(database.knex, [newScore({ app })]),
    grow: (bytes) => `UPDATE scores SET raw = jsonb_build_object('text', ${random(bytes / 32)})`,
  },
  "/problems?detail=true": {
    make: (service, app) => report(service, { app }),
    grow: (bytes) =>
      `UPDATE problems SET details = jsonb_build_array(jsonb_build_object('file', ${random(bytes / 32)}))`,
  },
  "/audit": {
    make: ({ database }, app) =>
      recordAudit(database.knex, {
        actor: "ann",
        action: "app.retire",
        target: { area: "a", team: "t", app },
        details: {},
      }),
    grow: (bytes) => `UPDATE audit SET details = jsonb_build_object('reason', ${random(bytes / 32, "app")})`,
  },
};

/** The blocks that the statements of a page look at, but for those of its answer. */
async function blocksOf(service: TestService, path: string): Promise<number> {
  const { lists: pool, background } = service.database;
  const asked: { sql: string; bindings: readonly unknown[] }[] = [];
  const note = ({ sql, bindings }: (typeof asked)[number]) => void asked.push({ sql, bindings });
  pool.on("query", note);
  const acquire = pool.client.acquireConnection.bind(pool.client);
  const acquiring = vi.spyOn(pool.client, "acquireConnection").mockImplementation(async () => {
    const connection = await acquire();
    const { query } = connection;
    connection.query = (...args: [string | { readonly text: string }]) => {
      const text = typeof args[0] === "string" ? args[0] : args[0].text;
      const [, select] = /^(?:COPY \(|DECLARE .*? FOR )(.*?)(?:\) TO STDOUT.*)?$/s.exec(text) ?? [];
      if (select) asked.push({ sql: select, bindings: [] });
      return Reflect.apply(query, connection, args);
    };
    return connection;
  });
  await readPage(service, path);
  pool.off("query", note);
  acquiring.mockRestore();
  let blocks = 0;
  for (const { sql, bindings } of asked) {
    const explained = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql.replace(/\$\d+/g, "?")}`;
    const { rows } = await background.raw(explained, bindings as never);
    const [{ Plan: plan }] = rows[0]["QUERY PLAN"];
    blocks += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  }
  return blocks;
}

describe.each(engines)("on %s", (kind) => {
  test.each(Object.entries(lists))("%s looks at nothing beyond a page that is full", async (path, { make, grow }) => {
    const service = await useServiceOn(kind);
    for (let index = 0; index < 48; index++) await make(service, `app ${index}`);
    await service.database.knex.raw(grow(full / 16));
    const { items } = await readPage(service, path);
    expect(items.length).toBeGreaterThan(14);
    expect(items.length).toBeLessThan(18);
    const ofThese = await blocksOf(service, `${path}${path.includes("?") ? "&" : "?"}limit=${items.length}`);
    expect(await blocksOf(service, path)).toBeLessThan(1.5 * ofThese);
  });

  test("pages of results of many sizes end where they are full, and neither repeat nor miss any", async () => {
    const service = await useServiceOn(kind);
    const { knex } = service.database;
    const apps = Array.from({ length: 30 }, (_, index) => newScore({ app: `app ${index}`, score: index % 7 }));
    await saveScores(knex, apps);
    // Of 40 bytes to 1 MB, and one that is more than a page.
    const times =
      "(ARRAY[1, 40, 9000, 3, 30000, 700, 1, 140000])[CASE WHEN target_id = 17 THEN 8 ELSE 1 + target_id % 7 END]";
    await knex.raw(`UPDATE scores SET raw = jsonb_build_object('text', ${random(times)})`);
    for (const [sort, order] of [
      ["key", "target_id, metric_id"],
      ["score", "score, target_id, metric_id"],
      ["name", "area, team, app, env, scorecard, metric"],
    ] as const) {
      const { rows }: { rows: { app: string; bytes: number }[] } = await knex.raw(
        `SELECT app, octet_length(raw::text) AS bytes FROM scores_by_name ORDER BY ${order}`,
      );
      for (const limit of [4, 1_000]) {
        const path = `/scores?detail=true&sort=${sort}`;
        const pages: string[][] = [];
        const sizes = new Map(rows.map(({ app, bytes }) => [app, bytes]));
        const expected = pagesOf(rows, limit);
        for (let cursor: string | null = ""; cursor !== null; ) {
          const page: ReadPage<{ app: string; raw: object }> = await readPage(service, path, {
            limit,
            ...(cursor && { cursor }),
          });
          for (const { app, raw } of page.items) expect(JSON.stringify(raw).length + 1).toBe(sizes.get(app));
          pages.push(page.items.map(({ app }) => app));
          cursor = page.next;
        }
        expect(pages, `${sort}, ${limit}`).toEqual(expected);
      }
    }
    expect(await readAll(service, "/apps?detail=true&sort=name", 50)).toHaveLength(30);
  });
});

/** A page begins no row once those before it in the page are full. */
function pagesOf(rows: readonly { app: string; bytes: number }[], limit: number): string[][] {
  const pages: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (bytes >= full || pages.at(-1)?.length === limit) {
      pages.push([]);
      bytes = 0;
    }
    pages.at(-1)?.push(row.app);
    bytes += row.bytes;
  }
  return pages;
}
