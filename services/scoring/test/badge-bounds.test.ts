import { expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { Bounds, Scope } from "../src/model/grant.ts";
import { badge, badged } from "./support/badges.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { type TestService, useService } from "./support/service.ts";

const score = { ...badged, scorecard: "security", metric: "secret_scan", raw: { found: false } };

/** Makes tokens, and gives the headers of requests with them. */
function tokensOf({ database }: Pick<TestService, "database">) {
  return async (scopes: Scope[], bounds: Bounds = {}) => {
    const token = createToken();
    await insertToken(database.knex, { name: "Ann", hash: hashToken(token), scopes, bounds });
    return { authorization: `Bearer ${token}`, "content-type": "application/json" };
  };
}

test("a badge is made and revoked within bounds, by the scope for it alone, and audited", async () => {
  const service = await useService({ auth: "token" });
  const tokenOf = tokensOf(service);
  const writer = await tokenOf(["score:write"]);
  await post(service, "/score", score, writer);
  const other = await tokenOf(["badge:write"], { area: "other" });
  const own = await tokenOf(["badge:write"], { area: "shop", app: "badged" });
  for (const headers of [await tokenOf(["read"]), other]) {
    await expect(badge(service, {}, headers)).rejects.toThrow("forbidden");
  }
  const { id, svg } = await badge(service, {}, own);
  expect((await service.server.inject(svg)).statusCode).toBe(200);
  expect((await service.server.inject({ url: "/badges", headers: own })).statusCode).toBe(403);
  const remove = (headers: Record<string, string>) =>
    service.server.inject({ method: "DELETE", url: `/badges/${id}`, headers });
  expect((await remove(other)).statusCode).toBe(404);
  expect((await remove(own)).statusCode).toBe(200);
  const { rows } = await service.database.knex.raw("SELECT action, app, actor, details FROM audit ORDER BY id");
  expect(rows.map(({ action, app, actor }: Record<string, string>) => [action, app, actor])).toEqual([
    ["badge.create", "badged", "Ann"],
    ["badge.revoke", "badged", "Ann"],
  ]);
  expect(JSON.stringify(rows)).not.toContain(svg.slice(7, -4));
});

test("no badge is made of what has left the bounds, and where it went is not said", async () => {
  const service = await useService({ auth: "token" });
  const tokenOf = tokensOf(service);
  const admin = await tokenOf(["admin", "score:write"]);
  const { env: _, ...from } = badged;
  for (const [app, to] of [
    ["one", { area: "elsewhere" }],
    ["two", { team: "elsewhere" }],
  ] as const) {
    expect(await post(service, "/score", { ...score, app }, admin)).toMatchObject({ status: 200 });
    const move = { from: { ...from, app }, to: { ...from, app, ...to } };
    expect(await post(service, "/apps/move", move, admin)).toMatchObject({ status: 200 });
    const bound = await tokenOf(["badge:write"], { area: badged.area, team: badged.team });
    expectRefusal(await post(service, "/badges", { ...badged, app, shows: "score" }, bound), {
      ...{ status: 403, code: "forbidden", paths: ["app"] },
      message: new RegExp(`/${app} has moved out of your bounds$`),
    });
  }
});
