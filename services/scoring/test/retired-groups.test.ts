import { expect, test } from "vitest";
import { post } from "./support/requests.ts";
import { createDatabase, engines, useService } from "./support/service.ts";

const score = { area: "shop", env: "prod", scorecard: "security", metric: "secret_scan", raw: { found: false } };

test.each(engines)("a batch names all that is retired, also by the former name of its team, on %s", async (kind) => {
  const service = await useService({ databaseUrl: await createDatabase(kind) });
  const send = async (path: string, body: object) =>
    expect(await post(service, path, body)).toMatchObject({ status: 200 });
  await send("/score", { ...score, team: "books", app: "cart" });
  await send("/apps/move", { from: { area: "shop", team: "books" }, to: { area: "shop", team: "reading" } });
  await send("/score", { ...score, team: "reading", app: "later" });
  await send("/score", { ...score, team: "reading", app: "live" });
  for (const app of ["cart", "later"])
    await send("/apps/retire", { area: "shop", team: "reading", app, reason: "gone" });
  const scores = ["cart", "later", "live", "unknown"].map((app) => ({ ...score, team: "books", app }));
  const answer = await post(service, "/scores", { scores });
  expect(answer).toMatchObject({ status: 409, body: { code: "app-retired" } });
  expect((answer.body as { details: { path: string }[] }).details.map(({ path }) => path)).toEqual([
    "scores[0].app",
    "scores[1].app",
  ]);
});
