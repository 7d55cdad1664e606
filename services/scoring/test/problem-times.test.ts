import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExposition } from "./support/exposition-parser.ts";
import { problem } from "./support/problem-report.ts";
import { readAll, readPage } from "./support/reading.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines, useService } from "./support/service.ts";

interface Times {
  readonly area: string | null;
  readonly severity: string;
  readonly open: number;
  readonly oldest_opened_at: string | null;
  readonly p90_opened_at: string | null;
  readonly median_opened_at: string | null;
  readonly resolved: number;
  readonly resolved_median_seconds: number | null;
  readonly resolved_p90_seconds: number | null;
}

interface Opening {
  readonly area: string;
  readonly type: string;
  readonly severity: string;
  readonly from: number;
  readonly to: number | undefined;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What scanners report of some problems: an hour, and whether something is found. */
const reports = fc.array(
  fc.record({
    area: fc.constantFrom("shop", "payments"),
    type: fc.constantFrom("secret", "bucket", "port", "image"),
    severity: fc.constantFrom("critical", "high"),
    count: fc.constantFrom(0, 1, 2),
    hour: fc.integer({ min: 1, max: 130 * 24 }),
  }),
  { minLength: 60, maxLength: 80 },
);

/** Between the two nearest values. */
function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low === undefined || high === undefined ? null : low + (high - low) * (at % 1);
}

describe.each(engines)("the times of problems on %s", (kind) => {
  test("are those of every opening, whatever is reported", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const start = Date.now() - 131 * dayMs;
    const [sample = []] = fc.sample(reports, 1);
    const known = new Map<string, Opening>();
    const openings: Opening[] = [];
    for (const { area, type, severity, count, hour } of sample.toSorted((a, b) => a.hour - b.hour)) {
      const at = start + hour * hourMs;
      const key = JSON.stringify([area, type]);
      const sent = { ...problem, area, env: "prod", problem_type: type, severity, count, details: [] };
      const { status, body } = await post(service, "/problem/scan-result", {
        ...sent,
        measured_at: new Date(at).toISOString(),
      });
      expect([status, body]).toMatchObject([200, { count }]);
      const former = known.get(key);
      if (count > 0) known.set(key, { area, type, severity, from: former?.from ?? at, to: undefined });
      else if (former) {
        openings.push({ ...former, to: at });
        known.delete(key);
      }
    }
    const all = [...openings, ...known.values()];
    for (const by of ["area", "severity"] as const) {
      const { items, as_of } = await readPage<Times>(service, "/problem-times", { by });
      const since = Date.parse(as_of) - 90 * dayMs;
      expect(items.reduce((sum, { open }) => sum + open, 0)).toBe(known.size);
      for (const item of items) {
        const own = all.filter((one) => one.severity === item.severity && (item.area ?? one.area) === one.area);
        const froms = own.flatMap(({ from, to }) => (to === undefined ? [from] : []));
        const lasted = own.flatMap(({ from, to = 0 }) => (to >= since ? [(to - from) / 1_000] : []));
        expect([item.open, item.resolved]).toEqual([froms.length, lasted.length]);
        const time = (at: string | null) => (at === null ? null : Date.parse(at));
        for (const [shown, share] of [
          [item.oldest_opened_at, 0],
          [item.p90_opened_at, 0.1],
          [item.median_opened_at, 0.5],
        ] as const) {
          const expected = percentile(froms, share);
          expect(Math.abs(Number(time(shown)) - Number(expected))).toBeLessThanOrEqual(1);
        }
        for (const [shown, share] of [
          [item.resolved_median_seconds, 0.5],
          [item.resolved_p90_seconds, 0.9],
        ] as const) {
          const expected = percentile(lasted, share);
          expect(Math.abs(Number(shown) - Number(expected))).toBeLessThanOrEqual(0.5);
        }
      }
    }
    const weeks = await readAll<{ week: string; opened: number; resolved: number; open: number }>(
      service,
      "/problem-weeks",
      5,
    );
    expect(weeks.length).toBeGreaterThanOrEqual(12);
    for (const { week, opened, resolved, open } of weeks) {
      const [first, last] = [Date.parse(week), Date.parse(week) + 7 * dayMs];
      const isIn = (at: number | undefined) => at !== undefined && at >= first && at < last;
      expect(new Date(first).getUTCDay()).toBe(1);
      expect([opened, resolved, open]).toEqual([
        all.filter(({ from }) => isIn(from)).length,
        all.filter(({ to }) => isIn(to)).length,
        all.filter(({ from, to = Number.POSITIVE_INFINITY }) => from < last && to >= last).length,
      ]);
    }
    const gone = await readPage<{ area: string; problem_type: string; resolved_at: string; open_seconds: number }>(
      service,
      "/problems",
      { resolved: "true", sort: "resolved" },
    );
    const ended = gone.items.map(({ resolved_at }) => Date.parse(resolved_at));
    expect(ended).toEqual(ended.toSorted((a, b) => b - a));
    for (const { area, problem_type, resolved_at, open_seconds } of gone.items) {
      const own = openings.filter((one) => one.area === area && one.type === problem_type).at(-1);
      expect([Date.parse(resolved_at), open_seconds * 1_000]).toEqual([own?.to, Number(own?.to) - Number(own?.from)]);
    }
    const { rows } = await service.database.knex.raw(
      "SELECT past_openings FROM problems WHERE past_openings IS NOT NULL",
    );
    for (const { past_openings } of rows) {
      for (const { opened_at, resolved_at } of past_openings) {
        for (const time of [opened_at, resolved_at]) expect(time, "as an import takes it").toMatch(/T[\d:.]+Z$/);
      }
    }
    const isOpen = { resolved: "false", all: "true" };
    expect((await readPage(service, "/problems", isOpen)).total).toBe(known.size);
    const before = Date.now();
    const samples = parseExposition((await service.server.inject("/metrics?collect[]=problem_times")).payload);
    const after = Date.now();
    expect(samples).toHaveLength(known.size);
    for (const { labels, value } of samples) {
      const { from = 0 } = known.get(JSON.stringify([labels.area, labels.problem_type])) ?? {};
      expect(value).toBeGreaterThanOrEqual((before - from) / 1_000 - 1);
      expect(value).toBeLessThanOrEqual((after - from) / 1_000 + 1);
    }
  });
});
