import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Grant } from "../src/model/grant.ts";
import { maxRequests } from "../src/model/limits.ts";
import { makeKnown } from "./support/known-names.ts";
import { holderOf } from "./support/people.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { useService } from "./support/service.ts";
import { ask, cart, dast, forbidden, type People, peopleOf } from "./support/waiver-requests.ts";
import { inDays } from "./support/waivers.ts";

describe("a request", () => {
  let people: People;
  beforeAll(async () => {
    people = await peopleOf("postgres");
  });
  afterAll(() => people.service.stop());

  test("is what a caller makes that may only ask, and one that may write makes it if it says so", async () => {
    const { ann, office, service } = people;
    expect((await ann.post("/waivers", dast)).body.state).toBe("requested");
    expectRefusal(await ann.post("/waivers", { ...dast, state: "approved" }), { ...forbidden, paths: ["state"] });
    expect((await office.post("/waivers", { ...dast, state: "requested" })).body.state).toBe("requested");
    expect((await office.post("/waivers", dast)).body).toMatchObject({ state: "approved", requested_by: "office" });
    const reporter = await holderOf(service, { name: "ci", scopes: ["score:write", "waiver:request"] });
    expect((await reporter.post("/waivers", dast)).body.state).toBe("requested");
    const both = await holderOf(service, { name: "both", scopes: ["score:write", "waiver:write"] });
    const id = await ask(ann);
    expectRefusal(await both.post(`/waivers/${id}/approve`), { ...forbidden, message: /another token for waivers/ });
    const reader = await holderOf(service, { name: "reader", scopes: ["read"] });
    expectRefusal(await reader.post("/waivers", dast), forbidden);
  });

  test("is what somebody makes who has signed in, whatever the scopes", async () => {
    const { ann, service } = people;
    const grant: Grant = {
      name: "eve@example.com",
      caller: "[issuer,eve]",
      parts: [{ scopes: ["admin"], bounds: {} }],
    };
    const signedIn = async (url: string, body: object) => {
      const { statusCode, payload } = await service.server.inject({
        ...{ method: "POST", url, headers: { "content-type": "application/json" }, payload: JSON.stringify(body) },
        auth: { strategy: "session", credentials: { grant, scope: ["admin"] } },
      });
      return { status: statusCode, headers: {}, body: JSON.parse(payload) };
    };
    const { body } = await signedIn("/waivers", dast);
    expect(body).toMatchObject({ state: "requested", requested_by: "eve@example.com" });
    expectRefusal(await signedIn("/waivers", { ...dast, state: "approved" }), { ...forbidden, paths: ["state"] });
    expectRefusal(await signedIn(`/waivers/${body.id}/approve`, {}), {
      ...forbidden,
      message: /you asked for this waiver yourself/,
    });
    const approved = await signedIn(`/waivers/${await ask(ann)}/approve`, {});
    expect(approved.body).toMatchObject({ state: "approved", decided_by: "eve@example.com" });
  });

  test("of an end that is past, of a retired application and of what is registered no more is not approved", async () => {
    const { ann, office, admin, service } = people;
    const { knex } = service.database;
    const past = await ask(ann);
    await knex("waivers")
      .where({ id: past })
      .update({ requested_at: inDays(-3), expires_at: inDays(-1) });
    expectRefusal(await office.post(`/waivers/${past}/approve`), { paths: ["expires_at"], message: /past/ });
    const unknown = await ask(ann);
    await knex("waivers").where({ id: unknown }).update({ metric: "luck" });
    expectRefusal(await office.post(`/waivers/${unknown}/approve`), { code: "unknown-metric", paths: ["metric"] });
    await admin.post("/score", {
      ...cart,
      app: "till",
      env: "prod",
      scorecard: "security",
      metric: "secret_scan",
      raw: { found: false },
    });
    const retired = await ask(ann, { app: "till" });
    const last = { ...cart, team: "pay", app: "bank" };
    await makeKnown(service, last);
    const gone = await ask(ann, { team: "pay", app: undefined });
    expect(await admin.post("/apps/retire", { ...last, reason: "replaced" })).toMatchObject({ status: 200 });
    expectRefusal(await office.post(`/waivers/${gone}/approve`), {
      paths: ["team"],
      message: /there is no team "pay" in shop; there is "checkout"/,
    });
    expect(await admin.post("/apps/retire", { ...cart, app: "till", reason: "replaced" })).toMatchObject({
      status: 200,
    });
    expectRefusal(await office.post(`/waivers/${retired}/approve`), {
      status: 409,
      code: "app-retired",
      paths: ["app"],
    });
    for (const id of [past, unknown, retired, gone])
      expect((await office.post(`/waivers/${id}/reject`, { comment: "over" })).status).toBe(200);
  });

  test("of an application that moved is decided within its present name", async () => {
    const { ann, admin, service } = people;
    const bounds = { area: "shop", team: "checkout" };
    const before = await holderOf(service, { name: "before", scopes: ["waiver:write"], bounds });
    const after = await holderOf(service, {
      name: "after",
      scopes: ["waiver:write"],
      bounds: { ...bounds, team: "pay" },
    });
    await admin.post("/score", {
      ...cart,
      app: "wallet",
      env: "prod",
      scorecard: "security",
      metric: "dast",
      raw: { high: 0, medium: 0 },
    });
    const id = await ask(ann, { app: "wallet" });
    const move = { from: { ...cart, app: "wallet" }, to: { ...cart, team: "pay", app: "wallet" } };
    expect(await admin.post("/apps/move", move)).toMatchObject({ status: 200 });
    expectRefusal(await before.post(`/waivers/${id}/approve`), { status: 404, code: "not-found" });
    expect(await after.post(`/waivers/${id}/approve`)).toMatchObject({ status: 200, body: { team: "pay" } });
  });

  test("extends an approved waiver of the same target and subject alone", async () => {
    const { ann, office } = people;
    const { body } = await office.post("/waivers", { ...dast, env: "prod" });
    const next = { ...dast, env: "prod", expires_at: inDays(200), extends: body.id };
    expect((await ann.post("/waivers", next)).body).toMatchObject({ state: "requested", extends: body.id });
    for (const other of [{ env: "dev" }, { metric: "sast" }, { metric: undefined }, { env: undefined }]) {
      expectRefusal(await ann.post("/waivers", { ...next, ...other }), {
        paths: ["extends"],
        message: /approved waiver of the same/,
      });
    }
    expectRefusal(await ann.post("/waivers", { ...next, extends: await ask(ann, { env: "prod" }) }), {
      paths: ["extends"],
    });
    await office.delete(`/waivers/${body.id}`);
    expectRefusal(await ann.post("/waivers", next), { paths: ["extends"] });
  });

  test("has a limit of its own, of a caller and of an area", async () => {
    const { ann, ben, office, service } = people;
    const { knex } = service.database;
    const fill = (requester: string, count: number, area: string) =>
      knex.raw(
        `INSERT INTO waivers (kind, area, scorecard, reason, owner, requested_at, requested_by, requester)
         SELECT 'not_applicable', ?::text, 'security', 'none', 'ann', now() - interval '2 days', 'many', ?::text FROM generate_series(1, ?::int)`,
        [area, requester, count],
      );
    const many = await holderOf(service, { name: "many", scopes: ["waiver:request"] });
    const own = await many.post("/waivers", { ...dast, area: "full" });
    const { rows } = await knex.raw("SELECT requester FROM waivers WHERE id = ?::uuid", [own.body.id as string]);
    await fill(rows[0].requester, maxRequests.caller - 2, "other");
    const last = await many.post("/waivers", { ...dast, area: "full" });
    expect(last.status).toBe(201);
    await many.post(`/waivers/${last.body.id}/withdraw`); // which does not make room at once
    const refusal = { status: 409, code: "too-many-waivers" };
    expectRefusal(await many.post("/waivers", { ...dast, area: "full" }), {
      ...refusal,
      message: /^you have 100 requests/,
    });
    expect((await ben.post("/waivers", { ...dast, area: "full" })).status).toBe(201);
    await fill("crowd", maxRequests.area - 3, "full");
    expectRefusal(await ann.post("/waivers", { ...dast, area: "full" }), {
      ...refusal,
      message: /^the area "full" has 1,000 requests/,
    });
    expect((await office.post("/waivers", { ...dast, area: "full" })).status).toBe(201);
  });
});

test("a preview says what a waiver covers, and stores nothing", async () => {
  const service = await useService();
  const score = { env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };
  for (const app of ["cart", "till", "gone"]) await post(service, "/score", { ...cart, ...score, app });
  await post(service, "/score", { ...cart, ...score, metric: "secret_scan", raw: { found: false } });
  await post(service, "/score", { ...cart, ...score, env: "dev" });
  await post(service, "/problem/scan-result", {
    ...cart,
    env: "prod",
    problem_type: "leak",
    severity: "high",
    count: 2,
  });
  await post(service, "/problem/scan-result", {
    ...cart,
    env: "dev",
    problem_type: "leak",
    severity: "high",
    count: 0,
  });
  await post(service, "/apps/retire", { ...cart, app: "gone", reason: "replaced" });
  const { server } = service;
  await server.inject({
    method: "PUT",
    url: "/registry",
    headers: { "content-type": "application/json" },
    payload: { ...cart, app: "silent" },
  });
  const covers = async (waiver: object) => {
    const sent = { ...dast, team: undefined, app: undefined, metric: undefined, ...waiver };
    const { status, body } = await post(service, "/waivers?dry_run=true", sent);
    expect([status, body.state], JSON.stringify(body)).toEqual([200, "approved"]);
    return Object.values(body.covers as object);
  };
  expect(await covers({})).toEqual([3, 4, 0]);
  expect(await covers({ metric: "dast" })).toEqual([3, 3, 0]);
  expect(await covers({ ...cart, env: "prod" })).toEqual([1, 2, 0]);
  expectRefusal(await post(service, "/waivers?dry_run=true", { ...dast, env: "none" }), {
    paths: ["env"],
    message: /^env is unknown: nothing was reported of the environment "none"; there are "dev", "prod"; without env, /,
  });
  expect(await covers({ scorecard: undefined, problem_type: "leak" })).toEqual([3, 0, 1]);
  expectRefusal(await post(service, "/waivers?dry_run=true", { ...dast, area: "elsewhere" }), {
    paths: ["area"],
    message: /^area is unknown: there is no area "elsewhere"; there is "shop"; a name is known once /,
  });
  await post(service, "/apps/move", { from: { area: "shop" }, to: { area: "store" } });
  const moved = await post(service, "/waivers?dry_run=true", dast);
  expect(moved.body).toMatchObject({ covers: { applications: 1 }, moved_to: { ...cart, area: "store" } });
  expectRefusal(await post(service, "/waivers?dry_run=true", { ...dast, app: "gone" }), {
    status: 409,
    code: "app-retired",
    paths: ["app"],
  });
  expectRefusal(await post(service, "/waivers?dry_run=true", { ...dast, metric: "luck" }), {
    code: "unknown-metric",
    paths: ["metric"],
  });
  expectRefusal(await post(service, "/waivers?dryrun=true", dast), { paths: ["dryrun"] });
  const { rows } = await service.database.knex.raw("SELECT count(*)::int AS count FROM waivers");
  expect(rows[0].count).toBe(0);
});
