import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CampaignReader, createCampaignReader } from "../src/campaigns/campaign-reader.ts";
import type { Member } from "../src/campaigns/members.ts";
import { recordCampaigns } from "../src/campaigns/record-progress.ts";
import { prune } from "../src/history/prune.ts";
import { type Bounds, unlimited } from "../src/model/grant.ts";
import { createRollUpReader } from "../src/rollups/roll-ups.ts";
import { tokenOf } from "./support/audit.ts";
import { campaign, change, dayIn, itemsOf, read, report } from "./support/campaigns.ts";
import { readPage } from "./support/reading.ts";
import { post, put } from "./support/requests.ts";
import { createDatabase, engines, shippedEngine, type TestService, useService } from "./support/service.ts";
import { revoke, waive } from "./support/waivers.ts";

const applies = [{ scorecard: "security", metric: "secret_scan", unless: { env: ["lab"] } }];
const secret = (found: boolean) => ({ "security.secret_scan": { found } });
const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };

async function record({ database }: TestService): Promise<number> {
  const { signal } = new AbortController();
  return recordCampaigns({ database, rules, signal });
}

const rules = { scorecards: shippedEngine.scorecards, applies };

/** The reader of another instance, which reads applications anew each time. */
function readerOf({ database }: TestService): CampaignReader {
  return createCampaignReader(database, { read: (filter) => createRollUpReader(database, rules).read(filter) }, rules);
}

async function membersIn(reader: CampaignReader, id: string): Promise<readonly Member[]> {
  const stored = await reader.find(id);
  if (!stored) throw new Error("the campaign is gone");
  return reader.members(stored, await reader.rollUps(unlimited, {}));
}

/** Lets a day pass: all that campaigns have recorded was a day earlier. */
async function passDay({ database: { knex } }: TestService): Promise<void> {
  await knex.raw("UPDATE campaigns SET starts = starts - 1, recorded = recorded - 1");
  await knex.raw("UPDATE campaign_members SET joined = joined - 1, met_on = met_on - 1");
  for (const by of ["- 1000", "+ 999"]) await knex.raw(`UPDATE campaign_days SET day = day ${by}`);
}

async function move(
  service: TestService,
  { env: _, ...from }: Partial<typeof cart>,
  { env: __, ...to }: Partial<typeof cart>,
): Promise<void> {
  const { status, body } = await post(service, "/apps/move", { from, to, merge: true });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

describe.each(engines)("the recorded days of a campaign on %s", (kind) => {
  const start = async () => useService({ databaseUrl: await createDatabase(kind), applies });

  test("go with their campaign, as long after it was archived as other decisions", async () => {
    const service = await start();
    const { knex } = service.database;
    await report(service, cart, secret(false));
    const ids = [];
    for (const name of ["old", "young", "ended"]) ids.push((await campaign(service, { name })).id);
    await record(service);
    for (const id of ids) await change(service, id, { state: "ended" });
    for (const id of ids.slice(0, 2))
      expect(await change(service, id, { state: "archived" })).toMatchObject({ status: 200 });
    await knex.raw("UPDATE campaigns SET archived_at = archived_at - interval '31 days' WHERE name = 'old'");
    await knex.raw("UPDATE campaigns SET ended_at = ended_at - interval '900 days' WHERE name = 'ended'");
    const { signal } = new AbortController();
    await prune(service.database, { historyDays: 30, signal });
    for (const table of ["campaigns", "campaign_members", "campaign_days"]) {
      const id = table === "campaigns" ? "id" : "campaign_id";
      const { rows } = await knex.raw(`SELECT DISTINCT ${id} AS id FROM ${table}`);
      expect([table, rows.map(({ id }: { id: string }) => id).sort()]).toEqual([table, ids.slice(1).sort()]);
    }
  });

  test("begin the line at the share that met the goal on the first day", async () => {
    const service = await start();
    await report(service, cart, secret(false));
    await report(service, { ...cart, app: "leaky" }, secret(true));
    await campaign(service, { scope: { env: ["prod"] } });
    await record(service);
    const { payload } = await service.server.inject("/metrics?collect[]=campaigns");
    expect(payload).toMatch(/^maturity_campaign_line_ratio\{.*\} 0\.500000$/m);
    const lines = async (query = {}) =>
      (await readPage<{ line: number | null }>(service, "/campaigns", query)).items.map(({ line }) => line);
    expect(await lines()).toEqual([0.5]);
    expect(await lines({ area: cart.area })).toEqual([0.5]);
    expect(await lines({ area: cart.area, app: cart.app })).toEqual([null]);
    await passDay(service);
    expect(await lines()).toEqual([expect.closeTo(0.5 + 0.5 / 61, 10)]);
  });

  test("are read within the bounds of the caller: of a team, of an area, all of them, and none by an application", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind), applies, auth: "token" });
    const all = await tokenOf(service, {});
    await report(service, cart, secret(false), all);
    await report(service, { ...cart, team: "search", app: "index" }, secret(true), all);
    await report(service, { ...cart, area: "bank", app: "pay" }, secret(true), all);
    const { id } = await campaign(service, { scope: { env: ["prod"] } }, all);
    await record(service);
    const seen = async (bounds: Bounds) => {
      const headers = await tokenOf(service, bounds, ["read"]);
      const [listed] = (await readPage<{ line: number | null }>(service, "/campaigns", {}, headers)).items;
      return { days: await itemsOf(service, id, "days", {}, headers), line: listed?.line };
    };
    const day = (members: number, met: number) => [{ day: dayIn(0), members, met, waived: 0, exempt: 0 }];
    expect(await seen({ team: "search" })).toEqual({ days: day(1, 0), line: 0 });
    expect(await seen({ team: "checkout" })).toEqual({ days: day(2, 1), line: 0.5 }); // of both areas
    expect(await seen({ area: "shop", team: "checkout" })).toEqual({ days: day(1, 1), line: 1 });
    expect(await seen({ area: "bank" })).toEqual({ days: day(1, 0), line: 0 });
    expect(await seen({})).toEqual({ days: day(3, 1), line: expect.closeTo(1 / 3, 10) });
    expect(await seen({ app: "cart" })).toEqual({ days: [], line: null });
  });

  test("say who joined later, who met the goal first when, and who lost it", async () => {
    const service = await start();
    await report(service, cart, secret(false));
    const { id } = await campaign(service, { scope: { env: ["prod"] } });
    expect(await record(service)).toBe(1);
    expect(await record(service)).toBe(0);
    await passDay(service);
    const reader = readerOf(service);
    expect(await membersIn(reader, id)).toMatchObject([{ app: cart, state: "met", joined: null, metAt: dayIn(-1) }]);
    await report(service, cart, secret(true));
    await report(service, { ...cart, app: "late" }, secret(true));
    expect(await record(service)).toBe(1);
    expect(await itemsOf(service, id, "days")).toEqual([
      { day: dayIn(-1), members: 1, met: 1, waived: 0, exempt: 0 },
      { day: dayIn(0), members: 2, met: 0, waived: 0, exempt: 0 },
    ]);
    const lost = { state: "lost", joined: null, metAt: dayIn(-1) };
    expect(await membersIn(reader, id)).toMatchObject([
      { app: { app: "cart" }, ...lost },
      { app: { app: "late" }, state: "left", joined: dayIn(0), metAt: null },
    ]);
    const series = async (query = "") =>
      (await service.server.inject(`/metrics?collect[]=campaigns${query}`)).payload
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"));
    const labels = `{campaign="No secrets",id="${id}"}`;
    const due = String((await read(service, id)).body.due);
    expect(await series()).toEqual([
      `maturity_campaign_members${labels} 2`,
      `maturity_campaign_met${labels} 0`,
      `maturity_campaign_line_ratio${labels} 1.000000`, // all of them met it on the first day
      `maturity_campaign_due_timestamp_seconds${labels} ${Date.parse(due) / 1_000 + 86_400}`,
    ]);
    expect(await series("&area=bank")).toEqual([]);
    expect(await series("&app=cart")).toEqual([]);
    await move(service, cart, { ...cart, app: "late" });
    expect(await membersIn(reader, id)).toMatchObject([{ app: { app: "late" }, ...lost }]);
    await change(service, id, { state: "ended" });
    expect(await series()).toEqual([]);
    await passDay(service);
    expect(await record(service)).toBe(0);
  });

  test("are recorded once by any number of instances", async () => {
    const service = await start();
    await report(service, cart, secret(false));
    for (const name of ["first", "second", "third"]) await campaign(service, { name });
    const recorded = await Promise.all(Array.from({ length: 4 }, () => record(service)));
    expect(recorded.reduce((sum, one) => sum + one)).toBe(3);
  });

  test("move with a team and an area, and are added up where both have days", async () => {
    const service = await start();
    await report(service, cart, secret(false));
    await report(service, { ...cart, team: "search" }, secret(true));
    await report(service, { ...cart, area: "bank", team: "search" }, secret(true));
    const teams = [
      { area: "shop", team: "checkout" },
      { area: "shop", team: "search" },
    ];
    const { id } = await campaign(service, { scope: { teams } });
    await record(service);
    await move(service, { area: "shop", team: "checkout" }, { area: "shop", team: "search" });
    expect((await read(service, id)).body.scope).toEqual({ teams: [{ area: "shop", team: "search" }] });
    await move(service, { area: "shop" }, { area: "bank" });
    expect((await read(service, id)).body.scope).toEqual({ teams: [{ area: "bank", team: "search" }] });
    expect(await itemsOf(service, id, "days")).toEqual([{ day: dayIn(0), members: 2, met: 1, waived: 0, exempt: 0 }]);
    const { rows } = await service.database.knex.raw("SELECT area, team, members FROM campaign_days");
    expect(rows).toEqual([{ area: "bank", team: "search", members: 2 }]);
    const marks = await service.database.knex.raw("SELECT joined, met_on::text FROM campaign_members");
    expect(marks.rows).toEqual([{ joined: null, met_on: dayIn(0) }]);
  });
});

/** An application as the test remembers it. */
interface Known {
  area: string;
  readonly team: string;
  readonly app: string;
  readonly env: string;
  found: boolean | null;
  waiver?: string;
}

/** What the test remembers. */
interface State {
  readonly model: Map<string, Known>;
  readonly retired: Set<string>;
  /** The areas as they are called now, by their first names. */
  readonly called: Map<string, string>;
}

const names = fc.record({
  area: fc.constantFrom("shop", "bank", "post"),
  app: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  env: fc.constantFrom("prod", "staging", "lab"),
});

/** What happens on a day. A move is that of an area, to a new name and back. */
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ action: fc.constant("report" as const), on: names, found: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant("report other" as const), on: names, found: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constant("waive" as const), on: names, found: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant("retire" as const), on: names, found: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant("move" as const), on: names, found: fc.boolean() }) },
);

type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

describe("the progress of a campaign", () => {
  test("is on each day what an independent count finds, whatever is reported, waived, moved and retired", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(action, { minLength: 3, maxLength: 8 }), { minLength: 3, maxLength: 5 }),
        expectCount,
      ),
      { numRuns: Number(process.env.RUNS ?? 2), endOnFailure: true },
    );
  });

  async function expectCount(days: readonly (readonly Action[])[]): Promise<void> {
    const service = await useService({ applies });
    await put(service, "/registry", {
      apps: ["shop", "bank", "post"].map((area) => ({ area, team: area, app: "registered", owner: "ann", labels: {} })),
    });
    const { id } = await campaign(service, { scope: { areas: ["shop", "bank"] } });
    const [model, retired] = [new Map<string, Known>(), new Set<string>()];
    const called = new Map(["shop", "bank", "post"].map((area) => [area, area]));
    const expected: object[] = [];
    for (const actions of days) {
      for (const one of actions) await apply(service, one, { model, retired, called });
      await record(service);
      expected.push(count(model));
      await passDay(service);
    }
    expect((await itemsOf(service, id, "days")).map(({ day: _, ...day }) => day)).toEqual(expected);
  }

  function count(model: ReadonlyMap<string, Known>): object {
    const members = [...model.values()].filter(({ area }) => area !== "post");
    const exempt = members.filter(({ env }) => env === "lab").length;
    const waived = members.filter(({ env, waiver }) => env !== "lab" && waiver !== undefined).length;
    const met = members.filter(({ env, waiver, found }) => env !== "lab" && !waiver && found === false).length;
    // Registered applications of both areas have reported nothing, and are members too.
    return { members: members.length + 2, met, waived, exempt };
  }

  async function apply(service: TestService, one: Action, { model, retired, called }: State): Promise<void> {
    const { on, found } = one;
    const key = JSON.stringify([on.area, on.app, on.env]);
    if (retired.has(key)) return; // it takes no reports
    const known = model.get(key);
    const target = { ...on, area: called.get(on.area) ?? "", team: on.area };
    const own = (): Known => {
      const made = known ?? { ...on, team: on.area, found: null };
      model.set(key, made);
      return made;
    };
    if (one.action === "report") {
      await report(service, target, secret(found));
      own().found = found;
    } else if (one.action === "report other") {
      await report(service, target, { "security.sast": { critical: 0, high: 0, medium: found ? 1 : 0 } });
      own();
    } else if (one.action === "waive" && known) {
      if (known.waiver === undefined) {
        known.waiver = (await waive(service, { ...target, scorecard: "security", metric: "secret_scan" })).id;
      } else {
        await revoke(service, known.waiver);
        delete known.waiver;
      }
    } else if (one.action === "retire" && known) {
      const { status } = await post(service, "/apps/retire", { ...target, reason: "gone" });
      expect(status).toBe(200);
      model.delete(key);
      retired.add(key);
    } else if (one.action === "move") {
      const [from = "", to = ""] = [called.get(on.area), `${on.area}-${found ? "moved" : "renamed"}`];
      if (from === to) return;
      await move(service, { area: from }, { area: to });
      called.set(on.area, to);
    }
  }
});
