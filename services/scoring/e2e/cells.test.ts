import { Readable } from "node:stream";
import type { ScoreRecord } from "@maturity/core";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { openDatabase } from "../src/store/database.ts";
import { parseExposition, type Sample } from "../test/support/exposition-parser.ts";
import { blocks } from "../test/support/markdown.ts";
import { query } from "../test/support/postgres.ts";
import { runCommand, runOn } from "../test/support/service-command.ts";
import { type Instances, raws, useInstances, usePrometheus } from "./support/instances.ts";
import { randomOrganisation, submit } from "./support/organisation.ts";
import { shippedRules } from "./support/prometheus.ts";
import { expectRollUps } from "./support/roll-ups.ts";

/** Another organisation for each run; E2E_SEED brings one back. */
const seed = Number(process.env.E2E_SEED ?? Date.now() % 2 ** 31);

/** The series of a scrape that name areas. */
async function scrape({ addresses: [address] }: Instances): Promise<Sample[]> {
  const response = await fetch(`${address}/metrics?collect[]=scores&collect[]=timestamps&collect[]=problems`);
  return parseExposition(await response.text());
}

const sorted = (samples: readonly Sample[]) => samples.map((sample) => JSON.stringify(sample)).sort();

/** Copies areas by the commands, as the page on cells does. */
async function copy(from: Instances, to: Instances, areas: readonly string[]): Promise<void> {
  const asked = areas.flatMap((area) => ["--area", area]);
  const { stdout, stderr, code } = await runCommand(["export", ...asked], { DATABASE_URL: from.databaseUrl });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const database = openDatabase(to.databaseUrl, 1);
  await runOn(database, ["import", ...asked], { stdin: Readable.from([Buffer.from(stdout)]) });
  await database.close();
}

test(`two cells under one Prometheus are one whole (E2E_SEED=${seed})`, async () => {
  const whole = await useInstances();
  const scores = await submit(randomOrganisation(seed, raws), whole.addresses);
  const all = await scrape(whole);
  const areas = [...new Set(all.map(({ labels }) => labels.area ?? ""))];
  const cells = [await useInstances(), await useInstances()];
  for (const [index, cell] of cells.entries()) {
    const mine = areas.filter((_, place) => place % cells.length === index);
    if (mine.length > 0) await copy(whole, cell, mine);
  }
  const parts = await Promise.all(cells.map(scrape));
  expect(sorted(parts.flat())).toEqual(sorted(all));
  const prometheus = await usePrometheus({ targets: cells.map(({ addresses }) => addresses[0]) });
  await prometheus.settled();
  expect(await expectRollUps(prometheus, whole.scorecards, scores)).toBeGreaterThan(0);
});

test(`an area moves as the page on cells says, and Prometheus sees it once all the time (E2E_SEED=${seed})`, async () => {
  const page = (await blocks("docs/cells.md")).filter(({ info }) => info === "cells");
  const [shownTwice = "", jobs = "", deletion = ""] = ["promql", "yaml", "sql"].map(
    (language) => page.find((block) => block.language === language)?.text,
  );
  const [one, two] = [await useInstances(), await useInstances()];
  const organisation = randomOrganisation(seed, raws);
  const [{ area: moved } = { area: "" }] = organisation.scores;
  const toShop = <T extends { area: string }>(rows: readonly T[]): T[] =>
    rows.map((row) => (row.area === moved ? { ...row, area: "shop" } : row));
  const scores = await submit(
    { scores: toShop(organisation.scores), problems: toShop(organisation.problems) },
    one.addresses,
  );
  const late = { team: "late", env: "prod", scorecard: "cost", metric: "bill", raw: { value: 12 } };
  const report = async (cell: Instances, app: string) =>
    scores.push(...(await submit({ scores: [{ area: "shop", app, ...late }], problems: [] }, cell.addresses)));

  await report(one, "before-the-copy");
  const dropped = await observe("maturity-two");
  await copy(one, two, ["shop"]);
  await dropped.expectWhole(scores);
  await report(two, "after-the-copy");
  const switched = await observe("maturity-one");
  await switched.expectWhole(scores);
  const both = await observe("nobody");
  expect((await both.query(shownTwice)).map(({ labels }) => labels.area)).toEqual(["shop"]);
  await query(one.databaseUrl, deletion);
  await both.expectWhole(scores);
  expect(await both.query(shownTwice)).toEqual([]);
  const { rows } = await query(
    one.databaseUrl,
    `SELECT area FROM scores_by_name UNION SELECT area FROM problems_by_name UNION SELECT area FROM roll_up_targets_by_name
     UNION SELECT 'a change of nothing' FROM score_changes WHERE target_id NOT IN (SELECT id FROM targets)`,
  );
  expect(rows.map(({ area }) => area)).not.toContain("shop");
  expect(rows.map(({ area }) => area)).not.toContain("a change of nothing");

  /** A Prometheus with the jobs of the page, of which this one drops the area. */
  async function observe(dropping: string) {
    const { scrape_configs } = parse(jobs) as {
      scrape_configs: { job_name: string; metric_relabel_configs?: object[] }[];
    };
    const [rule] = scrape_configs.flatMap(({ metric_relabel_configs = [] }) => metric_relabel_configs);
    const hosts = [one, two].map(({ addresses: [address] }) => new URL(address).host);
    const prometheus = await usePrometheus({
      configuration: JSON.stringify({
        global: { scrape_interval: "1s", evaluation_interval: "1s" },
        rule_files: shippedRules,
        scrape_configs: scrape_configs.map((job, index) => ({
          ...job,
          static_configs: [{ targets: [hosts[index]] }],
          metric_relabel_configs: job.job_name === dropping ? [rule] : [],
        })),
      }),
    });
    await prometheus.settled();
    return {
      query: prometheus.query,
      async expectWhole(scores: readonly ScoreRecord[]) {
        await prometheus.settled();
        expect(await expectRollUps(prometheus, one.scorecards, scores)).toBeGreaterThan(0);
      },
    };
  }
});
