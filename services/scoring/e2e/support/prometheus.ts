import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../test/support/postgres.ts";
import { until } from "../../test/support/service.ts";
import { shipped, start } from "./tools.ts";

/** One series with its value, as an instant query returns it. */
export interface Sample {
  /** Without the name. */
  readonly labels: Readonly<Record<string, string>>;
  /** `maturity:app_score`; empty where the query computed something. */
  readonly name: string;
  readonly value: number;
}

/** What Prometheus knows of an address it scrapes. */
export interface Target {
  /** `127.0.0.1:8080` */
  readonly instance: string;
  /** `up`, `down` or `unknown` */
  readonly health: string;
  /** Why the last scrape failed; empty when it did not. */
  readonly lastError: string;
  /** When the last scrape began, in milliseconds since 1970. */
  readonly lastScrape: number;
}

/** A Prometheus of its own. */
export interface Prometheus {
  /** `http://127.0.0.1:39090`, without a slash at the end. */
  readonly url: string;
  /**
   * Runs an instant query as of the moment at which `settled` last ended, so that a later scrape that a busy machine
   * fails takes nothing away. @throws Error with Prometheus's message
   */
  query(promql: string): Promise<Sample[]>;
  targets(): Promise<Target[]>;
  /**
   * Waits until every target was scraped after this call and the rules were evaluated after that, with no scrape
   * failed in between, so that a query shows whatever the service held before. Only groups with the interval of the
   * test are waited for. `down` is how many targets are stopped; none, unless said.
   */
  settled(options?: { readonly down: number }): Promise<void>;
  stop(): Promise<void>;
}

/** What to start Prometheus with. */
export interface PrometheusOptions {
  /** Addresses to scrape at /metrics: `127.0.0.1:8080` or `http://127.0.0.1:8080`; by default none. */
  readonly targets?: readonly string[];
  /** Paths of rule files; by default the shipped roll-ups and alerts. */
  readonly rules?: readonly string[];
  /** Scrape and evaluation interval in whole seconds; by default 1. `settled` waits for groups that have it. */
  readonly interval?: number;
  /** Query parameters of the scrape: `{ area: ["shop"] }`. */
  readonly params?: Readonly<Record<string, readonly string[]>>;
  /** Instead of all of the above: a configuration, with the paths of its rule files absolute. */
  readonly configuration?: string;
}

/** The rule files that the service ships. */
export const shippedRules: readonly string[] = ["maturity.rules.yml", "maturity.alerts.yml"].map((file) =>
  join(shipped, file),
);

/**
 * Starts Debian's Prometheus on a free port, with its data in a temporary folder, and waits until it is ready.
 *
 * @throws Error that says how to install it, or with what it wrote when it ends at once
 */
export async function startPrometheus(options: PrometheusOptions): Promise<Prometheus> {
  const { interval = 1 } = options;
  const directory = await mkdtemp(join(tmpdir(), "maturity-prometheus-"));
  const file = join(directory, "prometheus.yml");
  await writeFile(file, options.configuration ?? configure(options));
  const address = `127.0.0.1:${await freePort()}`;
  const child = await start("prometheus", [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(directory, "data")}`,
    `--web.listen-address=${address}`,
    "--log.level=warn",
  ]);
  let written = "";
  let ended = false;
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text) => {
    written += text;
  });
  const exit = once(child, "close").then(() => {
    ended = true;
  });
  const url = `http://${address}`;
  await until(async () => {
    if (ended) throw new Error(`prometheus ended: ${written}`);
    return (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok === true;
  });
  const targets = () => readTargets(url);

  /** Waits until every target was scraped after this time. */
  async function scrapedAfter(time: number): Promise<void> {
    await until(async () => {
      const all = await targets();
      return all.length > 0 && all.every(({ lastScrape }) => lastScrape > time);
    });
  }

  let settledAt = Date.now();
  const query = (promql: string) => runQuery(url, promql, settledAt);

  return {
    url,
    query,
    targets,
    async settled({ down } = { down: 0 }) {
      await until(async () => {
        const begun = Date.now();
        await scrapedAfter(begun);
        await scrapedAfter(Date.now()); // what the scrape before brought is stored once the next begins
        const scraped = Date.now();
        await until(async () => (await evaluations(url, interval)).every((time) => time > scraped));
        const evaluated = Date.now();
        await until(async () => (await evaluations(url, interval)).every((time) => time > evaluated));
        settledAt = Date.now();
        return (await query(`min_over_time(up[${settledAt - begun}ms]) == 0`)).length === down;
      });
    },
    async stop() {
      child.kill("SIGTERM");
      await exit;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** YAML takes JSON as it is. */
function configure({ targets = [], rules = shippedRules, interval = 1, params = {} }: PrometheusOptions): string {
  const hosts = targets.map((target) => target.replace(/^http:\/\/|\/$/g, ""));
  return JSON.stringify({
    global: { scrape_interval: `${interval}s`, evaluation_interval: `${interval}s` },
    rule_files: rules,
    scrape_configs: [{ job_name: "maturity", honor_labels: true, params, static_configs: [{ targets: hosts }] }],
  });
}

async function get<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  const { data, error } = (await response.json()) as { data: T; error?: string };
  if (!response.ok) throw new Error(error ?? `${response.status} of ${url}`);
  return data;
}

/** @param time in milliseconds since 1970 */
async function runQuery(url: string, promql: string, time: number): Promise<Sample[]> {
  const { result } = await get<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(
    `${url}/api/v1/query`,
    { method: "POST", body: new URLSearchParams({ query: promql, time: String(time / 1_000) }) },
  );
  return result.map(({ metric: { __name__: name = "", ...labels }, value }) => ({
    name,
    labels,
    value: Number(value[1]),
  }));
}

async function readTargets(url: string): Promise<Target[]> {
  const { activeTargets } = await get<{
    activeTargets: { labels: { instance: string }; health: string; lastError: string; lastScrape: string }[];
  }>(`${url}/api/v1/targets?state=active`);
  return activeTargets.map(({ labels, health, lastError, lastScrape }) => ({
    instance: labels.instance,
    health,
    lastError,
    lastScrape: Date.parse(lastScrape),
  }));
}

/** When each group of this interval was last evaluated, in milliseconds since 1970. */
async function evaluations(url: string, interval: number): Promise<number[]> {
  const { groups } = await get<{ groups: { interval: number; lastEvaluation: string }[] }>(`${url}/api/v1/rules`);
  return groups.filter((group) => group.interval === interval).map(({ lastEvaluation }) => Date.parse(lastEvaluation));
}

/** A text as PromQL writes it, in ASCII only: its lexer takes some characters for broken UTF-8. */
export function quote(text: string): string {
  const escaped = [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === '"' || character === "\\") return `\\${character}`;
    return code >= 0x20 && code < 0x7f ? character : `\\U${code.toString(16).padStart(8, "0")}`;
  });
  return `"${escaped.join("")}"`;
}
