import { expect, test } from "vitest";
import type { Bounds, Grant } from "../src/model/grant.ts";
import { ageScores, missDays, writeDays } from "./support/days.ts";
import { newScore } from "./support/new-score.ts";
import { saveScores } from "./support/save-scores.ts";
import { useService } from "./support/service.ts";

test("days of the organisation, for whoever may read a team, are those of the team as they were recorded, whatever was retired since", async () => {
  const service = await useService();
  const { database } = service;
  for (const score of [40, 70]) {
    await saveScores(database.knex, [
      newScore({ score }),
      newScore({ app: "other", score: 20 }),
      newScore({ team: "odd", app: "odd", score: 5 }),
    ]);
    await ageScores(database.knex, 1);
  }
  await missDays(database.knex, 2);
  await writeDays(database);
  const read = async (query: object, ...bounds: Bounds[]) => {
    const grant: Grant = {
      name: "ann",
      caller: "ann",
      parts: bounds.map((bounds) => ({ scopes: ["read"], bounds })),
    };
    const url = `/history?${new URLSearchParams({ env: "prod", sort: "-at", limit: "2", ...query })}`;
    const auth = { strategy: "grant", credentials: { grant, scope: ["read"] } };
    const { items } = JSON.parse((await service.server.inject({ url, auth })).payload);
    return items.map(({ at, score }: { at: string; score: number }) => ({ at, score }));
  };
  const team = { area: "area", team: "team" };
  const recorded = await read(team, team);
  expect(recorded).toMatchObject([{ score: (70 + 20) / 2 }, { score: (40 + 20) / 2 }]);
  const sql = "UPDATE applications SET retired_at = now(), retired_because = 'gone' WHERE app = 'other'";
  await service.database.knex.raw(sql);
  expect(await read(team, team)).toEqual(recorded);
  expect(await read({}, team)).toEqual(recorded);
  expect(await read({}, team, { ...team, app: "app" })).toEqual(recorded);
  expect(await read({}, { ...team, app: "app" })).toMatchObject([{ score: 70 }, { score: 40 }]);
  const mixed = await read({}, { area: "area", team: "odd" }, { ...team, app: "app" });
  expect(mixed).toMatchObject([{ score: (5 + 70) / 2 }, { score: (5 + 40) / 2 }]);
});
