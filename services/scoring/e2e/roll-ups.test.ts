import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScoreRecord } from "@maturity/core";
import { describe, expect, test } from "vitest";
import { query } from "../test/support/postgres.ts";
import { exemptionsBy, randomApplies } from "../test/support/random-applies.ts";
import { shippedEngine } from "../test/support/service.ts";
import { formerRaws, raws, useInstances, usePrometheus } from "./support/instances.ts";
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

describe(`a random organisation behind two instances, both scraped (E2E_SEED=${seed})`, () => {
  test("every recorded roll-up is core's, none is missing and none extra", async () => {
    const instances = await useInstances();
    const organisation = randomOrganisation(seed, raws);
    const scores = await submit(organisation, instances.addresses);
    const prometheus = await usePrometheus({ targets: instances.addresses });
    await prometheus.settled();
    expect(await prometheus.targets()).toMatchObject([{ health: "up" }, { health: "up" }]);
    expect(await prometheus.query("maturity_score")).toHaveLength(2 * scores.length);
    expect(await prometheus.query("maturity_problem_count")).toHaveLength(2 * organisation.problems.length);
    expect(await expectRollUps(prometheus, instances.scorecards, scores)).toBeGreaterThan(0);
  });

  test("the lists and the series of either instance are the recorded roll-ups, whatever is stale", async () => {
    const instances = await useInstances();
    const scores = await instances.age(await submit(randomOrganisation(seed, raws), instances.addresses), seed);
    for (const address of instances.addresses) await expectServed(address, instances.scorecards, scores);
    const prometheus = await usePrometheus({ targets: instances.addresses });
    await prometheus.settled();
    expect(await expectRollUps(prometheus, instances.scorecards, scores)).toBeGreaterThan(0);
  });

  test("whatever is waived, and since whenever, the lists, the series and the rules are core's", async () => {
    const instances = await useInstances();
    const scores = await instances.age(await submit(randomOrganisation(seed, raws), instances.addresses), seed);
    const waivers = await instances.waive(scores, seed);
    for (const address of instances.addresses) await expectServed(address, instances.scorecards, scores, waivers);
    const prometheus = await usePrometheus({ targets: instances.addresses });
    await prometheus.settled();
    expect(await expectRollUps(prometheus, instances.scorecards, scores, waivers)).toBeGreaterThan(0);
    expect(await prometheus.query("maturity:app_waived > 0")).not.toEqual([]);
    expect(await prometheus.query("maturity_waiver_expiry_timestamp_seconds")).not.toEqual([]);
    // Once all have ended, nothing of them is left.
    await query(
      instances.databaseUrl,
      "UPDATE waivers SET revoked_at = created_at, revoked_by = 'e2e' WHERE created_at IS NOT NULL",
    );
    await prometheus.settled();
    await expectRollUps(prometheus, instances.scorecards, scores);
  });

  test("whatever the policy exempts and waivers waive, the lists, the series and the rules are core's", async () => {
    const organisation = randomOrganisation(seed, raws);
    const { applies, registry } = randomApplies(seed, organisation.scores, shippedEngine.scorecards);
    const instances = await useInstances(applies);
    const scores = await instances.age(await submit(organisation, instances.addresses), seed);
    const waivers = await instances.waive(scores, seed);
    await instances.register(registry);
    const exemptionsOf = exemptionsBy(applies, registry, new Date());
    for (const address of instances.addresses)
      await expectServed(address, instances.scorecards, scores, waivers, exemptionsOf);
    const prometheus = await usePrometheus({ targets: instances.addresses });
    await prometheus.settled();
    expect(await expectRollUps(prometheus, instances.scorecards, scores, waivers, exemptionsOf)).toBeGreaterThan(0);
    expect(await prometheus.query("maturity:app_exempt > 0")).not.toEqual([]);
  });

  test("the example without recording rules gives the same series under the same names", async () => {
    const instances = await useInstances();
    const scores = await instances.age(await submit(randomOrganisation(seed, raws), instances.addresses), seed);
    const waivers = await instances.waive(scores, seed);
    const example = await readFile(join(shipped, "prometheus-rollups.yml"), "utf8");
    const configuration = example
      .replaceAll("127.0.0.1:8080", new URL(instances.addresses[0]).host)
      .replaceAll(/\b(?:1m|2m|30s)\b/g, "1s")
      .replaceAll("- maturity.", `- ${shipped}maturity.`);
    const prometheus = await usePrometheus({ configuration });
    await prometheus.settled();
    expect(await prometheus.query("up == 1")).toHaveLength(3);
    expect(await expectRollUps(prometheus, instances.scorecards, scores, waivers)).toBeGreaterThan(0);
    expect(await prometheus.query("maturity_score")).toHaveLength(scores.length);
    expect(await prometheus.query("maturity_scorecard_weight")).toHaveLength(instances.scorecards.length);
  });

  test("what is stale stays in the score and the share reported, leaves the share fresh, and comes back with its next report", async () => {
    const instances = await useInstances();
    const organisation = randomOrganisation(seed, raws);
    const reported = await submit(organisation, instances.addresses);
    const scores = await instances.age(reported, seed);
    const prometheus = await usePrometheus({ targets: instances.addresses });
    await prometheus.settled();
    await expectRollUps(prometheus, instances.scorecards, scores);
    const stale = await prometheus.query("maturity:app_fresh_ratio < maturity:app_reported_ratio - 1e-9");
    expect(stale).not.toEqual([]);
    await submit({ scores: organisation.scores, problems: [] }, instances.addresses);
    await prometheus.settled();
    await expectRollUps(prometheus, instances.scorecards, reported);
    expect(await prometheus.query("maturity:app_fresh_ratio < maturity:app_reported_ratio - 1e-9")).toEqual([]);
  });

  test("what changes, and what is new, is in the next roll-ups", async () => {
    const instances = await useInstances();
    const prometheus = await usePrometheus({ targets: instances.addresses });
    await prometheus.settled();
    expect(await expectRollUps(prometheus, instances.scorecards, [])).toBe(0);
    const first = await submit(randomOrganisation(seed, raws), instances.addresses);
    await prometheus.settled();
    await expectRollUps(prometheus, instances.scorecards, first);
    const second = await submit(randomOrganisation(seed + 1, raws), instances.addresses);
    await prometheus.settled();
    await expectRollUps(prometheus, instances.scorecards, unique([...first, ...second]));
  });

  test("scores of a metric and of a scorecard that are no longer registered are left out", async () => {
    const instances = await useInstances();
    const former = await instances.useFormer();
    const alone = { area: "gone", team: "gone", app: "gone", env: "prod", scorecard: "paper", metric: "printing" };
    const gone = [
      ...(await submit(randomOrganisation(seed + 2, formerRaws), [former.address])),
      await post<ScoreRecord>(`${former.address}/score`, { ...alone, raw: { value: 50 } }),
    ];
    await former.stop();
    const scores = await submit(randomOrganisation(seed, raws), instances.addresses);
    const prometheus = await usePrometheus({ targets: instances.addresses });
    await prometheus.settled();
    expect(await prometheus.query('maturity_score{area="gone",scorecard="paper"}')).toHaveLength(2);
    expect(await prometheus.query('{__name__=~"maturity:.*",area="gone"}')).toEqual([]);
    await expectRollUps(prometheus, instances.scorecards, unique([...gone, ...scores]));
  });

  test("with one instance stopped the roll-ups stay right, and follow the other", async () => {
    const instances = await useInstances();
    const [one, other] = instances.addresses;
    const scores = await submit(randomOrganisation(seed, raws), instances.addresses);
    const top = {
      area: "shop",
      team: "checkout",
      app: "cart",
      env: "prod",
      scorecard: "security",
      metric: "secret_scan",
    };
    const before = await post<ScoreRecord>(`${one}/score`, { ...top, raw: { found: false } });
    const prometheus = await usePrometheus({ targets: instances.addresses });
    await prometheus.settled();
    await expectRollUps(prometheus, instances.scorecards, unique([...scores, before]));
    instances.processes[0].kill("SIGTERM");
    await instances.processes[0].exit;
    await prometheus.settled({ down: 1 });
    await expectRollUps(prometheus, instances.scorecards, unique([...scores, before]));
    const after = await post<ScoreRecord>(`${other}/score`, { ...top, raw: { found: true } });
    expect(after.score).toBeLessThan(before.score);
    await prometheus.settled({ down: 1 });
    await expectRollUps(prometheus, instances.scorecards, unique([...scores, after]));
  });

  test("split by area as in the example, each area that a job names is rolled up as in the whole", async () => {
    const instances = await useInstances();
    const areas = ["shop", "payments", "logistics"] as const;
    const { scores: submissions } = randomOrganisation(seed, raws);
    const scores: ScoreRecord[] = [];
    for (const area of [...areas, "in no job"]) {
      const some = submissions.filter((_, index) => (index + area.length) % 3 === 0);
      scores.push(
        ...(await submit(
          { scores: unique(some.map((score) => ({ ...score, area }))), problems: [] },
          instances.addresses,
        )),
      );
    }
    const example = await readFile(join(shipped, "prometheus-by-area.yml"), "utf8");
    const hosts = instances.addresses.map((address) => `"${new URL(address).host}"`).join();
    const configuration = example
      .replaceAll('"127.0.0.1:8080"', hosts)
      .replaceAll(/\b(?:15s|1m)\b/g, "1s")
      .replaceAll("- maturity.", `- ${shipped}maturity.`);
    const prometheus = await usePrometheus({ configuration });
    await prometheus.settled();
    expect(await prometheus.query("up == 1")).toHaveLength(10);
    expect(await prometheus.query("maturity_scorecard_weight")).toHaveLength(2 * instances.scorecards.length);
    const named: readonly string[] = areas;
    await expectRollUps(
      prometheus,
      instances.scorecards,
      scores.filter(({ area }) => named.includes(area)),
    );
  });
});
