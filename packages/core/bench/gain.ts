import { cpus } from "node:os";
import { application } from "../../application/src/index.ts";
import { reliability } from "../../reliability/src/index.ts";
import { security } from "../../security/src/index.ts";
import { createEngine, type Engine, findGain, type ScoredRaw } from "../src/index.ts";

/** For how many applications a second one process finds what they gain: all shipped metrics, each below 100 more often than not. */

const appsPerRun = 2_000;
const runs = 5;
const at = new Date("2026-01-31T12:00:00Z");
const engine: Engine = createEngine([security, reliability, application]);

let state = 1;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const below = (limit: number) => Math.floor(random() * limit);
const counts = () => ({ critical: below(2), high: below(12), medium: below(60) });
const flag = () => ({ enabled: random() < 0.5 });
const raws: Readonly<Record<string, () => ScoredRaw["raw"]>> = {
  image_scan: counts,
  sast: counts,
  dast: () => ({ high: below(4), medium: below(12) }),
  secret_scan: () => ({ found: random() < 0.5 }),
  sla: () => ({ availability_pct: 95 + random() * 5 }),
  change_failure_rate: () => ({ rate_pct: random() * 60 }),
  mttr: () => ({ minutes: Math.exp(random() * 12) }),
  mttd: () => ({ minutes: Math.exp(random() * 8) }),
  libs_secrets: flag,
  libs_observability: flag,
  unique_db_user: flag,
  health_check: flag,
  unit_coverage: () => ({ coverage_pct: random() * 100 }),
  integration_coverage: () => ({ coverage_pct: random() * 100 }),
  stress_test: () => ({ error_rate: random() / 8, p95_ms: below(3_000), checks_pct: random() * 100 }),
};

/** An application of which one metric in ten never reported. */
function someApp(): Record<string, ScoredRaw> {
  return Object.fromEntries(
    engine.scorecards.flatMap(({ name, metrics }) =>
      metrics.flatMap((metric) => {
        const raw = random() < 0.1 ? undefined : raws[metric.name]?.();
        const score = raw && engine.score(name, metric.name, raw).score;
        return raw && score !== undefined ? [[`${name}.${metric.name}`, { raw, reported_at: at, score }]] : [];
      }),
    ),
  );
}

const apps = Array.from({ length: appsPerRun }, someApp);

function run(): { readonly rate: number; readonly longest: number } {
  const start = performance.now();
  let longest = 0;
  let former = start;
  for (const app of apps) {
    findGain(engine, app, at);
    const now = performance.now();
    longest = Math.max(longest, now - former);
    former = now;
  }
  return { rate: appsPerRun / ((former - start) / 1_000), longest };
}

const results = Array.from({ length: runs }, run).sort((a, b) => a.rate - b.rate);
const shown = (rate: number | undefined) => Math.round(rate ?? Number.NaN).toLocaleString("en-US");

console.log(`${shown(results[Math.floor(runs / 2)]?.rate)} applications per second`);
console.log(
  `median of ${runs} runs of ${shown(appsPerRun)}; from ${shown(results[0]?.rate)} to ${shown(results.at(-1)?.rate)}`,
);
console.log(`Node ${process.version}, one thread of ${cpus()[0]?.model}`);
