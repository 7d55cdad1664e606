import { expect, test } from "vitest";
import { newScore } from "./support/new-score.ts";
import { readAll, readPage } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, useService } from "./support/service.ts";

interface Detailed {
  readonly app: string;
  readonly score: number;
  readonly metrics: readonly { readonly score?: number }[];
}

/** Applications with one score each, of which one is better since they were last read. */
async function useChanged(kind: (typeof engines)[number]) {
  const service = await useService({ databaseUrl: await createDatabase(kind) });
  const save = (scores: Readonly<Record<string, number>>) =>
    saveScores(
      service.database.knex,
      Object.entries(scores).map(([app, score]) => newScore({ app, score })),
    );
  await save({ a: 10, b: 20, c: 30 });
  await readPage(service, "/apps");
  await save({ a: 90 });
  return service;
}

test.each(engines)(
  "a page of details is of one reading on %s: its order, its filter and its metrics agree",
  async (kind) => {
    const service = await useChanged(kind);
    const read = async (query: object) => {
      const { items } = await readPage<Detailed>(service, "/apps", { detail: "true", ...query });
      for (const { score, metrics } of items) {
        expect(metrics.flatMap((metric) => metric.score ?? [])).toEqual([score]);
      }
      return items.map(({ app, score }) => [app, score]);
    };
    expect(await read({})).toEqual([
      ["b", 20],
      ["c", 30],
      ["a", 90],
    ]);
    expect(await read({ sort: "-score" })).toEqual([
      ["a", 90],
      ["c", 30],
      ["b", 20],
    ]);
    expect(await read({ below: 50 })).toEqual([
      ["b", 20],
      ["c", 30],
    ]);
  },
);

test("its pages neither repeat nor miss an application", async () => {
  const service = await useChanged("postgres");
  const all = await readAll<Detailed>(service, "/apps?detail=true", 1);
  expect(all.map(({ app }) => app).sort()).toEqual(["a", "b", "c"]);
});
