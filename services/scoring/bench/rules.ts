import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { application } from "@maturity/application";
import { type AppliesRule, createEngine } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { openDatabase } from "../src/store/database.ts";
import { query } from "../test/support/postgres.ts";
import { organisationOf } from "../test/support/read-organisation.ts";
import { startPostgres, startService } from "./processes.ts";
import { scrape } from "./scrape.ts";
import { fillStore } from "./sides.ts";
import { medianOf, type Row, table } from "./table.ts";

/**
 * `pnpm bench rules`: what 20 rules of the policy, which say to whom metrics apply, cost a reading and a scrape, beside none.
 * Both sides are on one database, in turn. It fails if a reading takes more than 1.2 of the time, or a scrape more than 1.1.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { scores: { type: "string", default: "300000" }, rounds: { type: "string", default: "7" } },
});
const [scores, rounds] = [Number(options.scores), Number(options.rounds)];
const limits = { reading: 1.2, scrape: 1.1 };

const engine = createEngine([security, reliability, application]);
const metrics = engine.scorecards.flatMap(({ name, metrics }) =>
  metrics.map((metric) => ({ of: name, metric: metric.name })),
);
/** A rule for each metric by a label, and five by tier and environment; a tenth of the metrics of an application is exempt. */
const rules: readonly AppliesRule[] = [
  ...metrics.map(({ of, metric }, index) => ({
    ...{ scorecard: of, metric, unless: { labels: { kind: [`kind-${index % 10}`] } } },
  })),
  ...metrics.slice(0, 20 - metrics.length).map(({ of, metric }) => ({
    ...{ scorecard: of, metric, when: { tier: ["1", "2", "3"], env: ["prod", "staging"] } },
  })),
];

const directory = mkdtempSync(join(tmpdir(), "maturity-rules-"));
const policy = join(directory, "policy.json"); // JSON is YAML
writeFileSync(
  policy,
  JSON.stringify({
    applies: rules.map(({ scorecard, metric, ...rule }) => ({ metric: `${scorecard}.${metric}`, ...rule })),
  }),
);
const postgres = await startPostgres();
const plain = await startService(postgres.url);
await fillStore(postgres.url, scores);
await query(
  postgres.url,
  `UPDATE applications SET registered_at = now(), tier = (id % 3 + 1)::text, labels = jsonb_build_object('kind', 'kind-' || id % 20)`,
);
await query(postgres.url, "VACUUM ANALYZE");
const ruled = await startService(postgres.url, { POLICY: policy });
const database = openDatabase(postgres.url, 1);

const reading = {
  what: `a reading of ${scores.toLocaleString("en-US")} scores`,
  unit: "ms",
  ours: [] as number[],
  peer: [] as number[],
};
const scraping = { what: "a scrape of them", unit: "ms", ours: [] as number[], peer: [] as number[] };
for (let round = 0; round <= rounds; round++) {
  process.stderr.write(`rules, round ${round} of ${rounds}; the first only warms up\n`);
  for (const side of round % 2 === 0 ? (["ours", "peer"] as const) : (["peer", "ours"] as const)) {
    const began = performance.now();
    await organisationOf(database, engine, [], side === "ours" ? rules : []);
    const read = performance.now() - began;
    const { seconds } = await scrape(`${(side === "ours" ? ruled : plain).url}/metrics`);
    if (round === 0) continue;
    reading[side].push(read);
    scraping[side].push(seconds * 1_000);
  }
}
const rows: Row[] = [reading, scraping].map((row) => ({ ...row, peerName: "without rules", higherIsBetter: false }));
console.log(table(rows));
await database.close();
await Promise.all([plain.stop(), ruled.stop()]);
await postgres.stop();
rmSync(directory, { recursive: true });

const ratios = { reading: ratioOf(reading), scrape: ratioOf(scraping) };
for (const [what, ratio] of Object.entries(ratios)) {
  const limit = limits[what as keyof typeof limits];
  console.log(`with ${rules.length} rules a ${what} takes ${ratio.toFixed(2)} of the time; at most ${limit}`);
  if (ratio > limit) process.exitCode = 1;
}
process.exit();

/** The median of the ratios of the rounds. */
function ratioOf({ ours, peer }: { readonly ours: readonly number[]; readonly peer: readonly number[] }): number {
  return medianOf(ours.map((value, index) => value / (peer[index] ?? Number.NaN)));
}
