import { describe, expect, test } from "vitest";
import { report } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines, type TestService, useService } from "./support/service.ts";
import { collect, importRows, lines } from "./support/transfer.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const basket = { ...cart, app: "basket" };
const hourMs = 3_600_000;
const now = Date.now();
const hoursAgo = (hours: number) => new Date(now - hours * hourMs).toISOString();

/** The time as answers state it, whatever digits of a second they give. */
const at = (hours: number) => expect.stringMatching(hoursAgo(hours).slice(0, 19));

interface Found {
  readonly count: number;
  readonly resolved_at?: string;
}

describe.each(engines)("the openings of a problem that two applications had before their merge, on %s", (kind) => {
  const start = async () => useService({ databaseUrl: await createDatabase(kind) });
  const merge = async (service: TestService, from: object, to: object) =>
    expect(await post(service, "/apps/move", { from, to, merge: true })).toMatchObject({ status: 200 });
  const openings = async ({ database }: TestService): Promise<{ opened_at: string; resolved_at: string }[]> =>
    (await database.knex.raw("SELECT past_openings AS openings FROM problems")).rows[0].openings;
  const times = async (service: TestService) =>
    (await openings(service)).map(({ opened_at, resolved_at }) => [opened_at, resolved_at].map((at) => Date.parse(at)));

  test("end with the newer result, if that found it resolved", async () => {
    const service = await start();
    await report(service, { ...cart, measured_at: hoursAgo(5) });
    await report(service, { ...basket, count: 0, details: [], measured_at: hoursAgo(2) });
    await merge(service, cart, basket);
    expect(await times(service)).toEqual([[hoursAgo(5), hoursAgo(2)].map((at) => Date.parse(at))]);
    const { items } = await readPage<Found>(service, "/problems?resolved=true");
    expect(items).toMatchObject([
      { ...basket, count: 0, resolved_at: expect.stringMatching(hoursAgo(2).slice(0, 19)) },
    ]);
  });

  test.each([
    ["of the one that stays", basket, cart],
    ["of the one that is merged", cart, basket],
  ])("go on since the first, if the newer result found it open, that %s", async (_, later, earlier) => {
    const service = await start();
    await report(service, { ...earlier, measured_at: hoursAgo(5) });
    await report(service, { ...later, count: 7, severity: "low", measured_at: hoursAgo(2) });
    await merge(service, cart, basket);
    expect(await openings(service)).toBeNull();
    const open = { ...basket, count: 7, severity: "low" };
    expect((await readPage<Found>(service, "/problems")).items).toMatchObject([
      { ...open, opened_at: at(5), measured_at: at(2) },
    ]);
    await report(service, { ...basket, count: 0, details: [], measured_at: hoursAgo(1) });
    expect(await times(service)).toEqual([[hoursAgo(5), hoursAgo(1)].map((at) => Date.parse(at))]);
  });

  test("stand in the order of their ends, the newest hundred, and another store takes them", async () => {
    const service = await start();
    for (const [index, app] of [cart, basket, { ...cart, app: "bag" }].entries()) {
      await report(service, { ...app, count: 0, details: [] });
      const past = Array.from({ length: 80 }, (_, ago) => ({
        opened_at: hoursAgo(2 * (80 - ago) + index),
        resolved_at: hoursAgo(2 * (80 - ago) + index - 0.5),
        severity: "low",
      }));
      await service.database.knex.raw(
        "UPDATE problems SET past_openings = ?::jsonb FROM problems_by_name AS named WHERE problems.id = named.id AND app = ?",
        [JSON.stringify(past), app.app],
      );
    }
    await merge(service, cart, basket);
    await merge(service, { ...cart, app: "bag" }, basket);
    const ends = (await times(service)).map(([, end]) => end);
    expect(ends).toHaveLength(100);
    expect(ends).toEqual(ends.toSorted((one = 0, two = 0) => one - two));
    expect(ends.at(-1)).toBe(Date.parse(hoursAgo(1.5)));
    const other = await start();
    expect(await importRows(other.database, lines(...(await collect(service.database))))).toMatchObject({
      problems: 1,
    });
  });
});
