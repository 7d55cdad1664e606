import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScoreRecord } from "@maturity/core";
import { describe, expect, test } from "vitest";
import { query } from "../test/support/postgres.ts";
import { formerRaws, raws, useCopies, usePrometheus } from "./support/copies.ts";
import { post, randomOrganisation, submit } from "./support/organisation.ts";
import { expectRollUps, expectServed } from "./support/roll-ups.ts";
import { shipped } from "./support/tools.ts";

/** Another organisation for each run; E2E_SEED brings one back. */
const seed = Number(process.env.E2E_SEED ?? Date.now() % 2 ** 31);

type Key = Omit<ScoreRecord, "score" | "reported_at">;

const keyOf = ({ area, team, app, env, scorecard, metric }: Key) =>
  JSON.stringify([area, team, app, env, scorecard, metric]);

/** Of two with one key the later. */
function unique<T extends Key>(records: readonly T[]): T[] {
  return [...new Map(records.map((record) => [keyOf(record), record])).values()];
}

describe(`a random organisation behind two copies, both scraped (E2E_SEED=${seed})`, () => {
  test("every recorded roll-up is core's, none is missing and none extra", async () => {
    const copies = await useCopies();
    const organisation = randomOrganisation(seed, raws);
    const scores = await submit(organisation, copies.addresses);
    const prometheus = await usePrometheus({ targets: copies.addresses });
    await prometheus.settled();
    expect(await prometheus.targets()).toMatchObject([{ health: "up" }, { health: "up" }]);
    expect(await prometheus.query("maturity_score")).toHaveLength(2 * scores.length);
    expect(await prometheus.query("maturity_problem_count")).toHaveLength(2 * organisation.problems.length);
    expect(await expectRollUps(prometheus, copies.scorecards, scores)).toBeGreaterThan(0);
  });

  test("the lists and the series of either copy are the recorded roll-ups, whatever is stale", async () => {
    const copies = await useCopies();
    const scores = await copies.age(await submit(randomOrganisation(seed, raws), copies.addresses), seed);
    for (const address of copies.addresses) await expectServed(address, copies.scorecards, scores);
    const prometheus = await usePrometheus({ targets: copies.addresses });
    await prometheus.settled();
    expect(await expectRollUps(prometheus, copies.scorecards, scores)).toBeGreaterThan(0);
  });

  test("whatever is waived, and since whenever, the lists, the series and the rules are core's", async () => {
    const copies = await useCopies();
    const scores = await copies.age(await submit(randomOrganisation(seed, raws), copies.addresses), seed);
    const waivers = await copies.waive(scores, seed);
    for (const address of copies.addresses) await expectServed(address, copies.scorecards, scores, waivers);
    const prometheus = await usePrometheus({ targets: copies.addresses });
    await prometheus.settled();
    expect(await expectRollUps(prometheus, copies.scorecards, scores, waivers)).toBeGreaterThan(0);
    expect(await prometheus.query("maturity:app_waived > 0")).not.toEqual([]);
    expect(await prometheus.query("maturity_waiver_expiry_timestamp_seconds")).not.toEqual([]);
    // Once all have ended, nothing of them is left.
    await query(copies.databaseUrl, "UPDATE waivers SET revoked_at = created_at, revoked_by = 'e2e'");
    await prometheus.settled();
    await expectRollUps(prometheus, copies.scorecards, scores);
  });

  test("the example without recording rules gives the same series under the same names", async () => {
    const copies = await useCopies();
    const scores = await copies.age(await submit(randomOrganisation(seed, raws), copies.addresses), seed);
    const waivers = await copies.waive(scores, seed);
    const example = await readFile(join(shipped, "prometheus-rollups.yml"), "utf8");
    const configuration = example
      .replaceAll("127.0.0.1:8080", new URL(copies.addresses[0]).host)
      .replaceAll(/\b(?:1m|2m|30s)\b/g, "1s")
      .replaceAll("- maturity.", `- ${shipped}maturity.`);
    const prometheus = await usePrometheus({ configuration });
    await prometheus.settled();
    expect(await prometheus.query("up == 1")).toHaveLength(3);
    expect(await expectRollUps(prometheus, copies.scorecards, scores, waivers)).toBeGreaterThan(0);
    expect(await prometheus.query("maturity_score")).toHaveLength(scores.length);
    expect(await prometheus.query("maturity_scorecard_weight")).toHaveLength(copies.scorecards.length);
  });

  test("what is stale stays in score and coverage, leaves the fresh coverage, and comes back with its next report", async () => {
    const copies = await useCopies();
    const organisation = randomOrganisation(seed, raws);
    const reported = await submit(organisation, copies.addresses);
    const scores = await copies.age(reported, seed);
    const prometheus = await usePrometheus({ targets: copies.addresses });
    await prometheus.settled();
    await expectRollUps(prometheus, copies.scorecards, scores);
    const stale = await prometheus.query("maturity:app_fresh_coverage < maturity:app_coverage - 1e-9");
    expect(stale).not.toEqual([]);
    await submit({ scores: organisation.scores, problems: [] }, copies.addresses);
    await prometheus.settled();
    await expectRollUps(prometheus, copies.scorecards, reported);
    expect(await prometheus.query("maturity:app_fresh_coverage < maturity:app_coverage - 1e-9")).toEqual([]);
  });

  test("what changes, and what is new, is in the next roll-ups", async () => {
    const copies = await useCopies();
    const prometheus = await usePrometheus({ targets: copies.addresses });
    await prometheus.settled();
    expect(await expectRollUps(prometheus, copies.scorecards, [])).toBe(0);
    const first = await submit(randomOrganisation(seed, raws), copies.addresses);
    await prometheus.settled();
    await expectRollUps(prometheus, copies.scorecards, first);
    const second = await submit(randomOrganisation(seed + 1, raws), copies.addresses);
    await prometheus.settled();
    await expectRollUps(prometheus, copies.scorecards, unique([...first, ...second]));
  });

  test("scores of a metric and of a scorecard that are no longer registered are left out", async () => {
    const copies = await useCopies();
    const former = await copies.useFormer();
    const alone = { area: "gone", team: "gone", app: "gone", env: "prod", scorecard: "paper", metric: "printing" };
    const gone = [
      ...(await submit(randomOrganisation(seed + 2, formerRaws), [former.address])),
      await post<ScoreRecord>(`${former.address}/score`, { ...alone, raw: { value: 50 } }),
    ];
    await former.stop();
    const scores = await submit(randomOrganisation(seed, raws), copies.addresses);
    const prometheus = await usePrometheus({ targets: copies.addresses });
    await prometheus.settled();
    expect(await prometheus.query('maturity_score{area="gone",scorecard="paper"}')).toHaveLength(2);
    expect(await prometheus.query('{__name__=~"maturity:.*",area="gone"}')).toEqual([]);
    await expectRollUps(prometheus, copies.scorecards, unique([...gone, ...scores]));
  });

  test("with one copy stopped the roll-ups stay right, and follow the other", async () => {
    const copies = await useCopies();
    const [one, other] = copies.addresses;
    const scores = await submit(randomOrganisation(seed, raws), copies.addresses);
    const top = {
      area: "shop",
      team: "checkout",
      app: "cart",
      env: "prod",
      scorecard: "security",
      metric: "secret_scan",
    };
    const before = await post<ScoreRecord>(`${one}/score`, { ...top, raw: { found: false } });
    const prometheus = await usePrometheus({ targets: copies.addresses });
    await prometheus.settled();
    await expectRollUps(prometheus, copies.scorecards, unique([...scores, before]));
    copies.processes[0].kill("SIGTERM");
    await copies.processes[0].exit;
    await prometheus.settled({ down: 1 });
    await expectRollUps(prometheus, copies.scorecards, unique([...scores, before]));
    const after = await post<ScoreRecord>(`${other}/score`, { ...top, raw: { found: true } });
    expect(after.score).toBeLessThan(before.score);
    await prometheus.settled({ down: 1 });
    await expectRollUps(prometheus, copies.scorecards, unique([...scores, after]));
  });

  test("split by area as in the example, each area that a job names is rolled up as in the whole", async () => {
    const copies = await useCopies();
    const areas = ["shop", "payments", "logistics"] as const;
    const { scores: submissions } = randomOrganisation(seed, raws);
    const scores: ScoreRecord[] = [];
    for (const area of [...areas, "in no job"]) {
      const some = submissions.filter((_, index) => (index + area.length) % 3 === 0);
      scores.push(
        ...(await submit(
          { scores: unique(some.map((score) => ({ ...score, area }))), problems: [] },
          copies.addresses,
        )),
      );
    }
    const example = await readFile(join(shipped, "prometheus-by-area.yml"), "utf8");
    const hosts = copies.addresses.map((address) => `"${new URL(address).host}"`).join();
    const configuration = example
      .replaceAll('"127.0.0.1:8080"', hosts)
      .replaceAll(/\b(?:15s|1m)\b/g, "1s")
      .replaceAll("- maturity.", `- ${shipped}maturity.`);
    const prometheus = await usePrometheus({ configuration });
    await prometheus.settled();
    expect(await prometheus.query("up == 1")).toHaveLength(10);
    expect(await prometheus.query("maturity_scorecard_weight")).toHaveLength(2 * copies.scorecards.length);
    const named: readonly string[] = areas;
    await expectRollUps(
      prometheus,
      copies.scorecards,
      scores.filter(({ area }) => named.includes(area)),
    );
  });
});
