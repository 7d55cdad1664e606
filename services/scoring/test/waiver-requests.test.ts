import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Fact } from "../src/model/fact.ts";
import { withdrawRequests } from "../src/waivers/withdraw-undecided.ts";
import { makeKnown } from "./support/known-names.ts";
import { type Caller, holderOf } from "./support/people.ts";
import { type Answer, expectRefusal, post } from "./support/requests.ts";
import { engines, useService } from "./support/service.ts";
import { ask, cart, dast, forbidden, items, type People, peopleOf, states } from "./support/waiver-requests.ts";
import { inDays } from "./support/waivers.ts";

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

    const facts: Fact[] = [];
    const store = async (_: unknown, added: readonly Fact[]) => void facts.push(...added);
    const terms = { actor: "maturity-service", signal: new AbortController().signal };
    const looks = Array.from({ length: 3 }, () => withdrawRequests(service.database, { store }, terms));
    expect((await Promise.all(looks)).toSorted()).toEqual([0, 0, 1]);
    const [recorded] = items(await ann.get("/waivers?state=withdrawn&sort=oldest"));
    expect(recorded).toMatchObject({ id, decided_at: expect.any(String), decided_by: "maturity-service" });
    expect(facts).toMatchObject([{ type: "waiver.decided", subject: `waiver@${id}`, data: { state: "withdrawn" } }]);
    const [entry] = items(await people.admin.get("/audit?kind=waiver"));
    expect(entry).toMatchObject({ actor: "maturity-service", action: "waiver.withdraw", details: { id } });
    expectRefusal(await office.post(`/waivers/${id}/approve`), {
      ...refusal,
      message: /withdrawn by maturity-service/,
    });
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
    expectRefusal(await bound.post(`/waivers/${ids[1]}/approve`), { status: 404, code: "not-found" });

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
