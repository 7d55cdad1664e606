import { describe, expect, test } from "vitest";
import { announceEnding } from "../src/waivers/announce-ending.ts";
import { makeKnown } from "./support/known-names.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines, useService } from "./support/service.ts";
import { inDays, listed, waive } from "./support/waivers.ts";

const team = { area: "shop", team: "checkout" };
const sast = { scorecard: "security", metric: "sast", expires_at: inDays(10) };

describe.each(engines)("waivers of what is retired or held, on %s", (kind) => {
  test("are listed, exposed and announced nowhere, until it is back", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    for (const app of ["gone", "held", "kept"]) await makeKnown(service, { ...team, app });
    const raw = { found: false };
    const reported = { ...team, app: "ended", env: "prod", scorecard: "security", metric: "secret_scan", raw };
    expect(await post(service, "/score", reported)).toMatchObject({ status: 200 });
    for (const app of ["gone", "held", "kept"]) await waive(service, { ...team, app, ...sast });
    await waive(service, { ...team, app: "ended", env: "prod", ...sast });
    await waive(service, { ...team, ...sast });
    const state = async () => ({
      listed: (await listed(service, "?all=true")).map(({ app }) => app).sort(),
      exposed: (await service.server.inject("/metrics")).payload.match(/^maturity_waiver_expiry.*/gm)?.length,
    });
    const setHeld = (since: string | null) =>
      knex.raw(
        "UPDATE applications SET held_since = ?::timestamptz, registered_at = NULL, labels = NULL WHERE app = 'held'",
        [since],
      );
    const retired = [
      { ...team, app: "gone" },
      { ...team, app: "ended", env: "prod" },
    ];
    for (const name of retired) {
      expect(await post(service, "/apps/retire", { ...name, reason: "sold" })).toMatchObject({ status: 200 });
    }
    await setHeld(inDays(-1));
    expect(await state()).toEqual({ listed: ["kept", null], exposed: 2 });
    expect(await announceEnding(service.database, { store: async () => {} })).toBe(2);
    for (const name of retired) expect(await post(service, "/apps/restore", name)).toMatchObject({ status: 200 });
    await setHeld(null);
    expect(await state()).toEqual({ listed: ["ended", "gone", "held", "kept", null], exposed: 5 });
  });
});
