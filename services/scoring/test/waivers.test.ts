import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { Bounds, Scope } from "../src/model/grant.ts";
import { makeKnown } from "./support/known-names.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { createDatabase, engines, startService, type TestService, useService } from "./support/service.ts";
import { inDays, listed, revoke, type ShownWaiver, waive } from "./support/waivers.ts";

const accepted = {
  ...{ kind: "accepted", area: "shop", team: "checkout", app: "cart", env: "prod" },
  ...{ scorecard: "security", metric: "dast", reason: "rebuilt until May", owner: "ann", expires_at: inDays(60) },
};
const notApplicable = {
  kind: "not_applicable",
  area: "shop",
  scorecard: "reliability",
  reason: "a library",
  owner: "ben",
};

describe.each(engines)("waivers on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    await makeKnown(service, accepted);
  });
  afterAll(() => service.stop());

  test("are answered whole, listed while they are in force, and kept when they are revoked", async () => {
    const { status, body } = await post(service, "/waivers", accepted);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...accepted,
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      problem_type: null,
      ...{ state: "approved", evidence: null, extends: null, comment: null },
      ...{ requested_at: expect.any(String), requested_by: "anybody" },
      ...{ decided_at: body.requested_at, decided_by: "anybody" },
      ...{ created_at: body.requested_at, created_by: "anybody" },
      revoked_at: null,
      revoked_by: null,
    });
    const open = await waive(service, notApplicable);
    expect(open).toMatchObject({ team: null, app: null, env: null, metric: null, expires_at: null });
    expect(await listed(service)).toEqual([body, open]); // what never ends comes last

    const revoked = await revoke(service, open.id);
    expect(revoked).toEqual({ ...open, state: "revoked", revoked_at: expect.any(String), revoked_by: "anybody" });
    expect(await revoke(service, open.id)).toEqual(revoked); // as it is
    expect(await listed(service)).toEqual([body]);
    expect(await listed(service, "?all=true")).toEqual([body, revoked]);
    expect(await listed(service, "?all=true&sort=newest")).toEqual([revoked, body]);
    const { rows } = await service.database.knex.raw(
      "SELECT actor, action, area, team, app, env, details FROM audit ORDER BY at",
    );
    expect(rows).toMatchObject([
      { actor: "anybody", action: "waiver.create", area: "shop", team: "checkout", app: "cart", env: "prod" },
      {
        action: "waiver.create",
        area: "shop",
        team: null,
        details: { id: open.id, reason: "a library", owner: "ben" },
      },
      { action: "waiver.revoke", area: "shop", team: null, details: { id: open.id } },
    ]);
  });
});

describe("a waiver", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await makeKnown(service, accepted);
  });
  afterAll(() => service.stop());

  const refused: Readonly<Record<string, { body: object; code?: string; paths: string[] }>> = {
    "that says nothing": { body: {}, paths: ["area", "kind", "owner", "reason", "scorecard"] },
    "of another kind": { body: { ...accepted, kind: "ignored" }, paths: ["kind"] },
    "of an app without its team": { body: { ...accepted, team: undefined }, paths: ["team"] },
    "of an environment without an app": { body: { ...accepted, app: undefined }, paths: ["app"] },
    "of a scorecard and a problem": { body: { ...accepted, problem_type: "secret" }, paths: ["problem_type"] },
    "of neither": { body: { ...accepted, scorecard: undefined, metric: undefined }, paths: ["scorecard"] },
    "of a metric without its scorecard": {
      body: { ...accepted, scorecard: undefined, problem_type: "secret" },
      paths: ["metric"],
    },
    "of a scorecard that nobody knows": {
      body: { ...accepted, scorecard: "securty" },
      code: "unknown-scorecard",
      paths: ["scorecard"],
    },
    "of a metric that nobody knows": {
      body: { ...accepted, metric: "dats" },
      code: "unknown-metric",
      paths: ["metric"],
    },
    "without a reason": { body: { ...accepted, reason: " " }, paths: ["reason"] },
    "without an owner": { body: { ...accepted, owner: undefined }, paths: ["owner"] },
    "that is accepted for ever": { body: { ...accepted, expires_at: undefined }, paths: ["expires_at"] },
    "that is accepted for too long": { body: { ...accepted, expires_at: inDays(366.01) }, paths: ["expires_at"] },
    "that has ended already": { body: { ...accepted, expires_at: inDays(-0.01) }, paths: ["expires_at"] },
    "that ends on no day": { body: { ...accepted, expires_at: "2027-02-31" }, paths: ["expires_at"] },
    "that ends at a number": { body: { ...accepted, expires_at: Date.now() + 1e9 }, paths: ["expires_at"] },
    "with a field that there is not": { body: { ...accepted, revoked_at: null }, paths: ["revoked_at"] },
    "with evidence that is no address": { body: { ...accepted, evidence: "ticket 12" }, paths: ["evidence"] },
    "with evidence without TLS": { body: { ...accepted, evidence: "http://a.example/" }, paths: ["evidence"] },
    "with evidence that runs": {
      body: { ...accepted, evidence: "javascript:alert(1)//https://" },
      paths: ["evidence"],
    },
    "with a password in its evidence": {
      body: { ...accepted, evidence: "https://ann:secret@a.example/" },
      paths: ["evidence"],
    },
    "that extends what is no id": { body: { ...accepted, extends: "dast" }, paths: ["extends"] },
    "that extends none": { body: { ...accepted, extends: "00000000-0000-4000-8000-000000000000" }, paths: ["extends"] },
    "that is made rejected": { body: { ...accepted, state: "rejected" }, paths: ["state"] },
    "with null for all": { body: { ...accepted, env: null }, paths: ["env"] },
  };

  test.each(Object.entries(refused))("%s is refused", async (_, { body, code = "invalid-payload", paths }) => {
    expectRefusal(await post(service, "/waivers", body), { code, paths });
    expect(await listed(service, "?all=true")).toEqual([]);
  });

  test.each(["nope", "00000000-0000-4000-8000-000000000000", "%00", "..%2f"])("%s is none to revoke", async (id) => {
    const { statusCode, payload } = await service.server.inject({ method: "DELETE", url: `/waivers/${id}` });
    expect([statusCode, JSON.parse(payload).code]).toEqual([404, "not-found"]);
  });

  test("ends at its moment by the database's clock, at every instance, and is not revoked after that", async () => {
    const other = await useService({ databaseUrl: service.databaseUrl });
    const { id } = await waive(service, accepted);
    expect(await listed(other)).toHaveLength(1);
    const { rows } = await service.database.knex.raw(
      "UPDATE waivers SET expires_at = date_trunc('milliseconds', clock_timestamp()) RETURNING expires_at",
    );
    const expired = {
      id,
      state: "expired",
      expires_at: rows[0].expires_at.toISOString(),
      revoked_at: null,
      revoked_by: null,
    };
    for (const instance of [service, other]) {
      expect(await listed(instance)).toEqual([]);
      expect(await listed(instance, "?all=true")).toMatchObject([expired]);
      expect(await revoke(instance, id)).toMatchObject(expired);
    }
  });
});

test("a list shows what waives something of what it is asked for", async () => {
  const service = await useService();
  const waivers = await Promise.all(
    [
      {},
      { team: "checkout" },
      { team: "checkout", app: "cart" },
      { team: "checkout", app: "cart", env: "prod" },
      { team: "search" },
      { area: "bank" },
    ].map((target) => waive(service, { ...notApplicable, ...target })),
  );
  const secret = await waive(service, { ...notApplicable, scorecard: undefined, problem_type: "secret" });
  const found = async (search: string) => {
    const ids = new Set((await listed(service, search)).map(({ id }) => id));
    return [...waivers, secret].flatMap(({ id }, index) => (ids.has(id) ? [index] : []));
  };
  expect(await found("?area=shop")).toEqual([0, 1, 2, 3, 4, 6]);
  expect(await found("?area=shop&team=checkout")).toEqual([0, 1, 2, 3, 6]);
  expect(await found("?area=shop&team=checkout&app=till")).toEqual([0, 1, 6]);
  expect(await found("?env=dev&area=bank")).toEqual([5]);
  expect(await found("?env=dev&area=shop&team=checkout&app=cart")).toEqual([0, 1, 2, 6]);
  expect(await found("?env=prod&area=shop&team=checkout&app=cart")).toEqual([0, 1, 2, 3, 6]);
  expect((await listed(service, "?all=true")).map(({ env }) => env).filter((env) => env !== null)).toEqual(["prod"]);
  expect(await found("?problem_type=secret")).toEqual([6]);
  expect(await found("?scorecard=reliability&team=search")).toEqual([0, 4, 5]);
  const sla = await waive(service, { ...notApplicable, area: "bank", metric: "sla" });
  await waive(service, { ...notApplicable, area: "bank", metric: "mttr" });
  const ids = async (search: string) => (await listed(service, search)).map(({ id }) => id);
  expect(await ids("?metric=sla")).toEqual([sla.id]);
  expect(new Set(await ids("?metric=reliability.sla&area=bank"))).toEqual(new Set([waivers[5]?.id, sla.id]));
  expect(await ids("?metric=security.sla&metric=reliability")).toEqual([]);
  expect(await found("?owner=nobody")).toEqual([]);
  expect(await found("?kind=accepted&kind=not_applicable&area=bank")).toEqual([5]);
});

describe("by tokens", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ auth: "token" });
    await makeKnown(service, accepted, { area: "shop", team: "search" }, { area: "bank" });
  });
  afterAll(() => service.stop());

  const tokenOf = async (scopes: readonly Scope[], bounds: Bounds = {}) => {
    const token = createToken();
    await insertToken(service.database.knex, { name: "office", hash: hashToken(token), scopes, bounds });
    return { authorization: `Bearer ${token}` };
  };
  const ask = async (method: "POST" | "DELETE", url: string, headers: Record<string, string>, body?: object) => {
    const { statusCode, payload } = await service.server.inject({
      ...{ method, url, headers: { ...headers, ...(body && { "content-type": "application/json" }) } },
      ...(body && { payload: JSON.stringify(body) }),
    });
    return { status: statusCode, headers: {}, body: JSON.parse(payload) };
  };

  test("one is said who made it", async () => {
    const { body } = await ask("POST", "/waivers", await tokenOf(["waiver:write"]), accepted);
    expect(body).toMatchObject({ created_by: "office" });
    expect((await ask("DELETE", `/waivers/${body.id}`, await tokenOf(["admin"]))).body).toMatchObject({
      revoked_by: "office",
    });
  });

  test("no token waives by which somebody reports, unless it is an administrator's", async () => {
    const made = await ask("POST", "/waivers", await tokenOf(["admin", "score:write"]), accepted);
    expect(made.status).toBe(201);
    for (const scope of ["score:write", "problem:write"] as const) {
      const both = await tokenOf(["waiver:write", scope]);
      const refusals = [
        await ask("POST", "/waivers", both, accepted),
        await ask("DELETE", `/waivers/${made.body.id}`, both),
        await ask("POST", "/waivers", await tokenOf([scope]), accepted),
      ];
      for (const { status, body } of refusals) expect([status, body.code]).toEqual([403, "forbidden"]);
      expect(refusals[0]?.body.message).toContain("another token for waivers");
    }
  });

  const wider: Readonly<Record<string, { bounds: Bounds; waiver: object; path?: string; isUnseen?: true }>> = {
    "of its area within its area": { bounds: { area: "shop" }, waiver: { area: "shop" } },
    "of its team within its area": { bounds: { area: "shop" }, waiver: { area: "shop", team: "checkout" } },
    "of its area within its team": {
      bounds: { area: "shop", team: "checkout" },
      waiver: { area: "shop" },
      path: "team",
    },
    "of its team within its app": { bounds: { app: "cart" }, waiver: { area: "shop", team: "checkout" }, path: "app" },
    "of another team": {
      ...{ bounds: { team: "checkout" }, waiver: { area: "shop", team: "search" }, path: "team", isUnseen: true },
    },
    "of another area": { bounds: { area: "shop" }, waiver: { area: "bank" }, path: "area", isUnseen: true },
  };

  test.each(Object.entries(wider))(
    "one bound waives %s as far as its bounds reach",
    async (_, { bounds, waiver, path, isUnseen }) => {
      const bound = await tokenOf(["waiver:write"], bounds);
      const whole = await tokenOf(["waiver:write"]);
      const body = { ...notApplicable, ...waiver };
      const tried = await ask("POST", "/waivers", bound, body);
      const { id } = (await ask("POST", "/waivers", whole, body)).body as unknown as ShownWaiver;
      const revoked = await ask("DELETE", `/waivers/${id}`, bound);
      if (!path) return expect([tried.status, revoked.status]).toEqual([201, 200]);
      const forbidden = { status: 403, code: "forbidden", paths: [path] };
      expectRefusal(tried, forbidden);
      if (!isUnseen) return expectRefusal(revoked, forbidden);
      const unknown = await ask("DELETE", `/waivers/${randomUUID()}`, bound);
      const { message: __, ...rest } = unknown.body;
      expect(revoked).toMatchObject({ status: 404, body: rest });
      for (const way of ["approve", "reject", "withdraw"]) {
        const body = way === "reject" ? { comment: "no" } : {};
        expect((await ask("POST", `/waivers/${id}/${way}`, bound, body)).status).not.toBe(200);
      }
    },
  );
});
