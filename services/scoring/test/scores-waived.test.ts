import { describe, expect, test } from "vitest";
import { readPage } from "./support/reading.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines, useService } from "./support/service.ts";
import { inDays, revoke, waive } from "./support/waivers.ts";

const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const dast = { scorecard: "security", metric: "dast", raw: { high: 9, medium: 0 } };
const sla = { scorecard: "reliability", metric: "sla", raw: { availability_pct: 99 } };

describe.each(engines)("on %s, GET /scores", (kind) => {
  test("shows which scores are waived now, by a waiver of whatever scope, and filters by it", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const places = [cart, { ...cart, env: "test" }, { ...cart, app: "pay" }, { ...cart, team: "search" }];
    const scores = [...places, { ...cart, area: "other" }].flatMap((place) =>
      [dast, sla].map((result) => ({ ...place, ...result })),
    );
    expect(await post(service, "/scores", { scores })).toMatchObject({ status: 200 });
    const ask = async (query = {}) =>
      (await readPage<Record<string, unknown>>(service, "/scores", { sort: "name", ...query })).items.map((one) =>
        [one.waived, one.area, one.team, one.app, one.env, one.metric].join(" "),
      );
    const waived = async () => (await ask()).filter((one) => one.startsWith("true"));
    /** The filter and the field must say the same. */
    const expectWaived = async (expected: readonly string[]) => {
      expect(await waived()).toEqual(expected.map((name) => `true ${name}`));
      expect(await ask({ waived: "true" })).toEqual(await waived());
      const left = (await ask()).filter((one) => one.startsWith("false"));
      expect(await ask({ waived: "false" })).toEqual(left);
      const { items, total } = await readPage(service, "/scores", { waived: "false", limit: 1 });
      expect([items.length, total]).toEqual([1, left.length]);
    };
    await expectWaived([]);
    const { id } = await waive(service, { ...cart, scorecard: "security", metric: "dast" });
    await waive(service, { ...cart, scorecard: "security", metric: "sast" });
    await waive(service, { ...cart, problem_type: "dast" });
    await expectWaived(["shop checkout cart prod dast"]);
    await waive(service, { ...cart, env: undefined, app: "pay", scorecard: "security" });
    await waive(service, { area: "shop", team: "search", scorecard: "reliability", metric: "sla" });
    await waive(service, { area: "other", scorecard: "security", expires_at: inDays(1) });
    await expectWaived([
      "other checkout cart prod dast",
      "shop checkout cart prod dast",
      "shop checkout pay prod dast",
      "shop search cart prod sla",
    ]);
    expect(await ask({ waived: "true", area: "shop", team: "search" })).toEqual(["true shop search cart prod sla"]);
    await revoke(service, id);
    await service.database.knex.raw("UPDATE waivers SET expires_at = clock_timestamp() WHERE area = 'other'");
    await expectWaived(["shop checkout pay prod dast", "shop search cart prod sla"]);
    const { payload } = await service.server.inject({
      url: "/scores?waived=true&team=search",
      headers: { accept: "text/csv" },
    });
    expect(payload).toMatch(/^area,.*,project_repo,waived,day\r\nshop,search,.*,true,20[\d-]*\r\n$/s);
  });
});
