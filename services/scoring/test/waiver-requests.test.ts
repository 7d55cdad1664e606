import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Grant } from "../src/model/grant.ts";
import { maxRequests } from "../src/model/limits.ts";
import { makeKnown } from "./support/known-names.ts";
import { type Caller, holderOf } from "./support/people.ts";
import { type Answer, expectRefusal, post } from "./support/requests.ts";
import { createDatabase, engines, startService, type TestService, useService } from "./support/service.ts";
import { inDays } from "./support/waivers.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const dast = {
  ...{ kind: "accepted", ...cart, scorecard: "security", metric: "dast", reason: "rebuilt until May", owner: "ann" },
  expires_at: inDays(60),
};
const forbidden = { status: 403, code: "forbidden" };

interface People {
  readonly service: TestService;
  readonly ann: Caller;
  readonly ben: Caller;
  readonly office: Caller;
  readonly admin: Caller;
}

/** Two who ask, an office that decides, and an admin, on a service with tokens and a score. */
async function peopleOf(kind: (typeof engines)[number]): Promise<People> {
  const service = await startService({ auth: "token", databaseUrl: await createDatabase(kind) });
  const reader = ["read", "waiver:request"] as const;
  const admin = await holderOf(service, { name: "root", scopes: ["admin"] });
  const score = { ...cart, env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 1 } };
  await admin.post("/score", score);
  await admin.post("/score", { ...score, metric: "secret_scan", raw: { found: false } });
  await makeKnown(service, { ...cart, env: "dev" }, { ...cart, area: "full" });
  return {
    ...{ service, admin },
    ann: await holderOf(service, { name: "ann", scopes: reader }),
    ben: await holderOf(service, { name: "ben", scopes: reader }),
    office: await holderOf(service, { name: "office", scopes: ["read", "waiver:write"] }),
  };
}

async function ask(caller: Caller, waiver: object = {}): Promise<string> {
  const { status, body } = await caller.post("/waivers", { ...dast, state: "requested", ...waiver });
  expect([status, body.state], JSON.stringify(body)).toEqual([201, "requested"]);
  return String(body.id);
}

const items = (answer: Answer) => answer.body.items as Readonly<Record<string, unknown>>[];
const states = async (caller: Caller, query: string) =>
  items(await caller.get(`/waivers?sort=oldest&${query}`)).map(({ state }) => state);

describe.each(engines)("a request on %s", (kind) => {
  let people: People;
  beforeAll(async () => {
    people = await peopleOf(kind);
  });
  afterAll(() => people.service.stop());

  const isWaived = async () => {
    const [score] = items(await people.admin.get("/scores?metric=dast"));
    return score?.waived;
  };
  const actions = async () =>
    items(await people.admin.get("/audit")).map(({ action, actor, details }) => [
      action,
      actor,
      (details as { comment?: string }).comment ?? null,
    ]);

  test("waives nothing until somebody else approves it", async () => {
    const { ann, office } = people;
    const asked = await ann.post("/waivers", { ...dast, evidence: "https://git.example.com/shop/cart/issues/1" });
    expect(asked).toMatchObject({
      status: 201,
      body: {
        ...{ state: "requested", requested_by: "ann", requested_at: expect.any(String) },
        ...{ decided_at: null, decided_by: null, comment: null, created_at: null, created_by: null },
        ...{ extends: null, evidence: "https://git.example.com/shop/cart/issues/1" },
      },
    });
    expect(await isWaived()).toBe(false);
    expect(items(await ann.get("/waivers"))).toEqual([]);
    const approved = await office.post(`/waivers/${asked.body.id}/approve`, { comment: "until May" });
    expect(approved).toMatchObject({
      status: 200,
      body: {
        ...asked.body,
        ...{ state: "approved", decided_by: "office", comment: "until May", created_by: "office" },
        ...{ decided_at: expect.any(String), created_at: approved.body.decided_at },
      },
    });
    expect(await isWaived()).toBe(true);
    expect(items(await ann.get("/waivers"))).toEqual([approved.body]);
    expect((await office.delete(`/waivers/${asked.body.id}`)).body).toMatchObject({
      ...{ state: "revoked", decided_by: "office", revoked_by: "office" },
    });
    expect(await isWaived()).toBe(false);
    expect(await actions()).toEqual([
      ["waiver.revoke", "office", "until May"],
      ["waiver.approve", "office", "until May"],
      ["waiver.request", "ann", null],
    ]);
  });

  test("that was rejected or withdrawn waives nothing, and is decided no more", async () => {
    const { ann, office } = people;
    const rejected = await ask(ann);
    expectRefusal(await office.post(`/waivers/${rejected}/reject`), { paths: ["comment"] });
    expect((await office.post(`/waivers/${rejected}/reject`, { comment: "scan it" })).body).toMatchObject({
      ...{ state: "rejected", decided_by: "office", comment: "scan it", created_at: null, created_by: null },
    });
    const withdrawn = await ask(ann);
    expect((await ann.post(`/waivers/${withdrawn}/withdraw`)).body).toMatchObject({
      ...{ state: "withdrawn", decided_by: "ann", comment: null, created_at: null },
    });
    expect(await isWaived()).toBe(false);
    for (const [id, message] of [
      [rejected, /^the waiver was rejected by office at \d{4}-/],
      [withdrawn, /^the waiver was withdrawn by ann at \d{4}-/],
    ] as const) {
      const refusal = { status: 409, code: "waiver-decided", paths: ["state"], message };
      expectRefusal(await office.post(`/waivers/${id}/approve`), refusal);
      expectRefusal(await office.post(`/waivers/${id}/reject`, { comment: "no" }), refusal);
      expectRefusal(await ann.post(`/waivers/${id}/withdraw`), refusal);
      expect((await office.delete(`/waivers/${id}`)).status).toBe(200);
    }
    expect(await states(ann, "state=rejected&state=withdrawn")).toEqual(["rejected", "withdrawn"]);
  });

  test("that waits is not revoked", async () => {
    const id = await ask(people.ann);
    const message = /only requested; reject it/;
    expectRefusal(await people.office.delete(`/waivers/${id}`), {
      status: 409,
      code: "waiver-decided",
      message,
      paths: ["state"],
    });
    expect(await states(people.ann, "state=requested")).toEqual(["requested"]);
    await people.ann.post(`/waivers/${id}/withdraw`);
  });

  test("that nobody decides within 30 days is withdrawn", async () => {
    const { ann, office, service } = people;
    const id = await ask(ann);
    const { knex } = service.database;
    await knex("waivers")
      .where({ id })
      .update({ requested_at: inDays(-29.99) });
    expect(await states(office, "decidable=true")).toEqual(["requested"]);
    await knex("waivers")
      .where({ id })
      .update({ requested_at: inDays(-30.01) });
    expect(await states(office, "decidable=true")).toEqual([]);
    const [found] = items(await ann.get("/waivers?state=withdrawn&sort=oldest"));
    expect(found).toMatchObject({ id, state: "withdrawn", decided_at: null, decided_by: null });
    const refusal = { status: 409, code: "waiver-decided", paths: ["state"], message: /nobody decided within 30 days/ };
    expectRefusal(await office.post(`/waivers/${id}/approve`), refusal);
    expectRefusal(await ann.post(`/waivers/${id}/withdraw`), refusal);
  });

  test("is decided by nobody who asked, whatever the scopes", async () => {
    const { admin, office, ben, service } = people;
    const namesake = await holderOf(service, { name: "office", scopes: ["admin"] });
    for (const [asker, others] of [
      [admin, [admin]],
      [office, [office, namesake]],
    ] as const) {
      const id = await ask(asker);
      for (const other of others) {
        const refusal = { ...forbidden, message: /you asked for this waiver yourself/ };
        expectRefusal(await other.post(`/waivers/${id}/approve`), refusal);
        expectRefusal(await other.post(`/waivers/${id}/reject`, { comment: "no" }), refusal);
        expect(await states(other, "decidable=true")).toEqual([]);
      }
      expectRefusal(await ben.post(`/waivers/${id}/withdraw`), { ...forbidden, message: /only the caller that asked/ });
      expectRefusal(await ben.post(`/waivers/${id}/approve`), forbidden);
      expect((await asker.post(`/waivers/${id}/withdraw`)).status).toBe(200);
    }
  });

  test("is listed for those that asked, and for those that decide", async () => {
    const { ann, ben, office, admin, service } = people;
    await makeKnown(service, { area: "one" }, { area: "two" });
    const of = (area: string) => ask(ann, { area, team: undefined, app: undefined });
    const ids = [await of("one"), await of("two"), await ask(ben, { area: "one", team: undefined, app: undefined })];
    const found = async (caller: Caller, query: string) =>
      items(await caller.get(`/waivers?sort=oldest&${query}`)).flatMap(({ id }) => {
        const index = ids.indexOf(String(id));
        return index === -1 ? [] : [index];
      });
    expect(await found(ann, "requested_by=me&all=true")).toEqual([0, 1]);
    expect(await found(ben, "requested_by=me&state=requested")).toEqual([2]);
    expect(await found(ben, "requested_by=me")).toEqual([]);
    expect(await found(office, "decidable=true")).toEqual([0, 1, 2]);
    expect(await found(admin, "decidable=true&area=two")).toEqual([1]);
    expect(await found(ann, "decidable=true")).toEqual([]);
    const bound = await holderOf(service, { name: "o", scopes: ["read", "waiver:write"], bounds: { area: "one" } });
    expect(await found(bound, "decidable=true")).toEqual([0, 2]);
    const team = await holderOf(service, { name: "t", scopes: ["read", "waiver:write"], bounds: { team: "checkout" } });
    expect(await found(team, "decidable=true")).toEqual([]); // a waiver of the area is wider than its bounds
    expectRefusal(await bound.post(`/waivers/${ids[1]}/approve`), { ...forbidden, paths: ["area"] });

    const first = await ann.get("/waivers?requested_by=me&all=true&limit=1");
    expect(first.headers["cache-control"]).toBe("no-store");
    expect((await ann.get("/waivers")).headers["cache-control"]).toBe("private, no-cache");
    const next = `cursor=${first.body.next}&limit=1`;
    expect((await ann.get(`/waivers?requested_by=me&all=true&${next}`)).status).toBe(200);
    expectRefusal(await ben.get(`/waivers?requested_by=me&all=true&${next}`), { paths: ["cursor"] });
    expectRefusal(await ann.get("/waivers?requested_by=ben"), { paths: ["requested_by"] });
    for (const id of ids) await office.post(`/waivers/${id}/reject`, { comment: "no" });
  });

  test("is answered as it was at first if it is sent again with its key", async () => {
    const { ann, office } = people;
    const body = { ...dast, state: "requested" };
    const twice = async (caller: Caller, url: string, sent: object) => {
      const answers = [];
      for (const _ of [1, 2])
        answers.push(await caller.post(url, sent, { "idempotency-key": `key ${url}`.replaceAll(" ", "-") }));
      const [first, again] = answers as [Answer, Answer];
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      expect(again.headers).toMatchObject({ "idempotency-replayed": "true" });
      return first.body;
    };
    const { id } = await twice(ann, "/waivers", body);
    await twice(office, `/waivers/${id}/approve`, {});
    await office.delete(`/waivers/${id}`);
  });
});

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
    expectRefusal(await before.post(`/waivers/${id}/approve`), { ...forbidden, paths: ["team"] });
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

test("without authentication a request is withdrawn, and nobody approves it", async () => {
  const service = await useService();
  await makeKnown(service, cart);
  const { body } = await post(service, "/waivers", { ...dast, state: "requested" });
  expect(body).toMatchObject({ state: "requested", requested_by: "anybody" });
  const refusal = { ...forbidden, message: /^without AUTH all callers are the same/ };
  expectRefusal(await post(service, `/waivers/${body.id}/approve`, {}), refusal);
  expectRefusal(await post(service, `/waivers/${body.id}/reject`, { comment: "no" }), refusal);
  const { payload } = await service.server.inject("/waivers?decidable=true");
  expect(JSON.parse(payload)).toMatchObject({ items: [], total: 0 });
  expect((await post(service, `/waivers/${body.id}/withdraw`, {})).body).toMatchObject({ state: "withdrawn" });
});

test("of several that decide at once one wins, and the others are said who", async () => {
  const { service, ann, office } = await peopleOf("postgres");
  onTestFinished(() => service.stop());
  const other = await holderOf(service, { name: "deputy", scopes: ["waiver:write"] });
  for (let round = 0; round < 5; round++) {
    const id = await ask(ann);
    const answers = await Promise.all([
      ...[office, other].map((one) => one.post(`/waivers/${id}/approve`)),
      ...[office, other].map((one) => one.post(`/waivers/${id}/reject`, { comment: "no" })),
      ann.post(`/waivers/${id}/withdraw`),
    ]);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const { state, decided_by } = won[0]?.body ?? {};
    for (const answer of answers) {
      if (answer === won[0]) continue;
      const message = new RegExp(`^the waiver was ${state} by ${decided_by} at `);
      expectRefusal(answer, { status: 409, code: "waiver-decided", paths: ["state"], message });
    }
    await office.delete(`/waivers/${id}`);
  }
});
