import { describe, expect, test } from "vitest";
import { recordCampaigns } from "../src/campaigns/record-progress.ts";
import { readUnannounced } from "../src/store/campaigns.ts";
import { exportRows } from "../src/transfer/export.ts";
import { campaign, dayIn, itemsOf, read, report } from "./support/campaigns.ts";
import { blocks } from "./support/markdown.ts";
import { query } from "./support/postgres.ts";
import { post } from "./support/requests.ts";
import { engines, shippedEngine, type TestService } from "./support/service.ts";
import { collect, importRows, lines, useServiceOn } from "./support/transfer.ts";

const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const ledger = { area: "bank", team: "books", app: "ledger", env: "prod" };
const goal = { metric: "security.secret_scan", min: 100 };

/** A service with an application that meets the goal and one that does not, each in an area of its own. */
async function useTwoAreas(kind: (typeof engines)[number]): Promise<TestService> {
  const service = await useServiceOn(kind);
  await report(service, cart, { "security.secret_scan": { found: false } });
  await report(service, ledger, { "security.secret_scan": { found: true } });
  return service;
}

async function record({ database }: TestService): Promise<void> {
  const { signal } = new AbortController();
  await recordCampaigns({ database, rules: { scorecards: shippedEngine.scorecards }, signal });
  await database.knex.raw("UPDATE campaigns SET notified = '{started}'");
}

/** What the API shows of a campaign, without what depends on the moment. */
async function shown(service: TestService, id: string): Promise<object> {
  const { status, body } = await read(service, id);
  expect(status).toBe(200);
  return { ...body, members: await itemsOf(service, id, "members"), days: await itemsOf(service, id, "days") };
}

describe.each(engines)("campaigns on %s", (kind) => {
  test("move with their areas, one area after the other, and are the same in the end", async () => {
    const from = await useTwoAreas(kind);
    const scopes = [
      { areas: ["bank", "shop"], env: ["prod"] },
      { areas: ["bank"], teams: [{ area: "shop", team: "checkout" }] },
      {},
    ];
    const ids: string[] = [];
    for (const scope of scopes) ids.push((await campaign(from, { scope })).id);
    const { id: elsewhere } = await campaign(from, { scope: { areas: ["bank"] } });
    await record(from);
    const to = await useServiceOn(kind);
    expect(await importRows(to.database, exportRows(from.database, ["shop"]))).toMatchObject({
      ...{ campaigns: 3, campaign_members: 3, campaign_days: 3 },
    });
    expect(await read(to, elsewhere)).toMatchObject({ status: 404 });
    // Not by the API, which would remember for 15 s whom it has read.
    const { scope } = await to.database.knex("campaigns").where({ id: ids[1] }).first();
    expect(scope).toEqual({ teams: [{ area: "shop", team: "checkout" }] });
    await importRows(to.database, lines(...(await collect(from.database))), ["bank"]);
    for (const id of [...ids, elsewhere]) expect(await shown(to, id)).toEqual(await shown(from, id));
    expect((await collect(to.database)).toSorted()).toEqual((await collect(from.database)).toSorted());
    expect(await readUnannounced(to.database.knex)).toEqual([]);
  });

  test("keep their days and members where they move as a whole, and go on from there", async () => {
    const from = await useTwoAreas(kind);
    const { id } = await campaign(from, { scope: { env: ["prod"] } });
    await record(from);
    const to = await useServiceOn(kind);
    await importRows(to.database, exportRows(from.database));
    await to.database.knex.raw("UPDATE campaigns SET starts = starts - 1, recorded = recorded - 1");
    await to.database.knex.raw("UPDATE campaign_days SET day = day - 1");
    await report(to, cart, { "security.secret_scan": { found: true } });
    await post(to, "/apps/move", { from: { area: "bank" }, to: { area: "finance" } });
    await record(to);
    expect(await itemsOf(to, id, "days")).toEqual([
      { day: dayIn(-1), members: 2, met: 1, waived: 0, exempt: 0 },
      { day: dayIn(0), members: 2, met: 0, waived: 0, exempt: 0 },
    ]);
    expect(await read(to, id)).toMatchObject({ body: { progress: { members: 2, met: 0, lost: 1, joined: 0 } } });
  });

  test("are refused where a line is none that a request could have made, and nothing is stored", async () => {
    const from = await useTwoAreas(kind);
    await campaign(from, { scope: { areas: ["shop"] } });
    await record(from);
    const rows = (await collect(from.database)).map((line) => JSON.parse(line));
    const with_ = (table: string, changes: object) =>
      lines(...rows.map((row) => (row.table === table ? { ...row, ...changes } : row)));
    const other = "00000000-0000-4000-8000-000000000000";
    const to = await useServiceOn(kind);
    const faults = [
      [with_("campaigns", { goal: {} }), "goal must have exactly one of"],
      [with_("campaigns", { goal: { ...goal, level: "gold" } }), "goal must have exactly one of"],
      [with_("campaigns", { due: "2020-01-01" }), "due must not be before starts"],
      [with_("campaigns", { scope: { area: "shop" } }), "scope.area"],
      [with_("campaigns", { recorded: dayIn(2) }), "ahead of the database's clock"],
      [with_("campaign_days", { campaign_id: other }), "is of a campaign that the file does not have"],
      [with_("campaign_members", { campaign_id: other }), "is of a campaign that the file does not have"],
      [with_("campaign_days", { met: -1 }), "met must be"],
    ] as const;
    for (const [file, fault] of faults) {
      await expect(importRows(to.database, file)).rejects.toThrow(fault);
      expect(await collect(to.database)).toEqual([]);
    }
    const [made] = rows.filter(({ table }) => table === "campaigns");
    const many = Array.from({ length: 501 }, (_, index) => ({
      ...made,
      id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    }));
    await expect(importRows(to.database, lines(...many))).rejects.toThrow("there would be 501 campaigns");
    await importRows(to.database, lines(made));
    const again = { ...made, area: "bank", goal: { ...goal, min: 50 } };
    await expect(importRows(to.database, lines(again))).rejects.toThrow("has the id of a campaign with another goal");
  });
});

test("an area with campaigns is deleted as the page on cells says", async () => {
  const service = await useTwoAreas("postgres");
  const { id } = await campaign(service);
  await record(service);
  const page = await blocks("docs/cells.md");
  const deletion = page.find(({ info, language }) => info === "cells" && language === "sql")?.text ?? "";
  await query(service.databaseUrl, deletion);
  expect(await itemsOf(service, id, "days")).toEqual([{ day: dayIn(0), members: 1, met: 0, waived: 0, exempt: 0 }]);
});
