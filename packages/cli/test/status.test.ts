import { type App, createClient, type ScoreRequest } from "@maturity/client";
import { widthOf } from "@maturity/command-line/text-width";
import { gainingMetrics } from "@maturity/run-summary/points";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { makeKnown } from "../../../services/scoring/test/support/known-names.ts";
import { listeningService } from "./support/listening-service.ts";
import { pinnedEngine } from "./support/pinned-engine.ts";

const service = listeningService({ engine: pinnedEngine });
const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };

const mended = { ...cart, app: "mended" };
const toMend: ScoreRequest[] = [
  { ...mended, scorecard: "security", metric: "secret_scan", raw: { found: true } },
  { ...mended, scorecard: "security", metric: "image_scan", raw: { critical: 0, high: 3, medium: 12 } },
  { ...mended, scorecard: "application", metric: "unit_coverage", raw: { coverage_pct: 79 } },
];

const manyFindings = { critical: 28, high: 100, medium: 200 };

beforeAll(async () => {
  const client = createClient({ url: service.url });
  const project_repo = "https://git.example.com/shop/cart";
  await client.submitAll([
    { ...cart, scorecard: "security", metric: "secret_scan", raw: { found: true }, project_repo },
    { ...cart, scorecard: "security", metric: "image_scan", raw: { critical: 0, high: 3, medium: 12 }, project_repo },
    { ...cart, scorecard: "reliability", metric: "sla", raw: { availability_pct: 100 }, project_repo },
    { ...cart, scorecard: "application", metric: "unit_coverage", raw: { coverage_pct: 79 }, project_repo },
    ...toMend,
    { ...cart, app: "encoder", scorecard: "security", metric: "image_scan", raw: manyFindings },
    { ...cart, env: "test", scorecard: "reliability", metric: "sla", raw: { availability_pct: 100 } },
    { ...cart, area: "waived", scorecard: "security", metric: "secret_scan", raw: { found: false } },
    { ...cart, area: "waived", scorecard: "security", metric: "image_scan", raw: { critical: 3, high: 0, medium: 0 } },
  ]);
  const details = [{ file: "main.tf", line: 3, description: "AWS access key" }];
  await client.reportProblem({ ...cart, problem_type: "terraform_secret", severity: "high", count: 1, details });
  const daysAgo = (table: string, column: string, days: number, where: string) =>
    service.database.knex.raw(
      `UPDATE ${table} SET ${column} = clock_timestamp() - interval '${days} days'
       WHERE target_id IN (SELECT target_id FROM ${table}_by_name WHERE env = 'prod' AND app = 'cart') AND ${where}`,
    );
  await daysAgo(
    "scores",
    "reported_at",
    10,
    "metric_id IN (SELECT id FROM metrics WHERE metric IN ('secret_scan', 'sla'))",
  );
  await daysAgo("scores", "reported_at", 20, "metric_id IN (SELECT id FROM metrics WHERE metric = 'image_scan')");
  await daysAgo("scores", "reported_at", 2, "metric_id IN (SELECT id FROM metrics WHERE metric = 'unit_coverage')");
  await daysAgo("problems", "opened_at", 3, "true");
});

test("shows the score, what costs most and why, what is missing and old, and what is open", async () => {
  const { code, stdout, stderr } = await service.maturity(["status"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe(`shop / checkout / cart / prod  74.0
reported 31 %, fresh 22 %
no level: bronze needs share fresh 50 %, has 22 %
https://git.example.com/shop/cart

SCORECARD    SCORE  WEIGHT  REPORTED  FRESH
security      26.8      35      50 %   25 %
reliability  100.0      40      20 %   20 %
application   98.3      25      20 %   20 %

What keeps it from 100, the most first
secret_scan 0 costs 17.5 points, reported 10 days ago, late
  at least one hardcoded credential was found, which scores 0; the score is 100 when no hardcoded credential was found
image_scan 53.59 costs 8.1 points, reported 20 days ago, stale
  3 high findings leave 66 % of the score; every 5 of them halve it
  12 medium findings leave 81 % of the remaining score; every 40 of them halve it
unit_coverage 98.33 costs 0.4 points, reported 2 days ago
  the coverage by unit tests is 79 %, which scores 98.33; the score rises evenly from 50 at 50 % to 100 at 80 %

Never reported: 11 of 15 metrics, 70 % of the weight
  sast, dast, change_failure_rate, mttr, mttd, libs_secrets, libs_observability, unique_db_user, health_check, integration_coverage, stress_test

Older than the metric allows
  image_scan: stale, 20 days old, may be 7 days
  secret_scan: late, 10 days old, may be 7 days
  sla: late, 10 days old, may be 7 days

Open problems, the gravest first
terraform_secret 1 finding, high
  main.tf:3  AWS access key
  open for 3 days
`);
});

test("the points of all metrics are what is missing to 100", async () => {
  const client = createClient({ url: service.url });
  const [app] = (await client.apps({ ...cart, detail: true }).toArray()) as [App];
  const costs = gainingMetrics(app);
  expect(costs.map(({ metric }) => metric)).toEqual(["secret_scan", "image_scan", "unit_coverage"]);
  expect(costs.reduce((sum, { gain }) => sum + gain.app_gain, 0)).toBeCloseTo(100 - Number(app.score), 9);
});

test("a metric at 100 gives the points that it was said to cost", async () => {
  const client = createClient({ url: service.url });
  const read = async () => (await client.apps({ ...mended, detail: true }).toArray())[0] as App;
  const before = await read();
  const [first] = gainingMetrics(before);
  await client.submit({ ...mended, scorecard: "security", metric: "secret_scan", raw: { found: false } });
  expect(Number((await read()).score) - Number(before.score)).toBeCloseTo(first?.gain.app_gain ?? 0, 9);
});

describe("with --gain", () => {
  test("names several values together where none raises the score alone", async () => {
    const { stdout } = await service.maturity(["status", "--gain", "--app", "encoder"]);
    expect(stdout).toContain(`image_scan 0 → 100 gains 100.0 points, security 100.0 points
  critical 28 → 1, high 100 → 0, medium 200 → 0 together gain 50.0 points, and the metric scores 50
`);
  });

  test("shows what to fix first, the next value of each input, and what each missing metric adds", async () => {
    const { code, stdout } = await service.maturity(["status", "--gain"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`
What to fix first, by the points that the score gains
secret_scan 0 → 100 gains 17.5 points, security 50.0 points
  found true → false gains 17.5 points, and the metric scores 100
image_scan 53.59 → 100 gains 8.1 points, security 23.2 points
  high 3 → 2 gains 1.4 points, and the metric scores 61.56
  medium 12 → 11 gains 0.2 points, and the metric scores 54.53
unit_coverage 98.33 → 100 gains 0.4 points, application 1.7 points
  coverage_pct 79 → 80 gains 0.4 points, and the metric scores 100

Never reported, by the share of the weight that each adds
  change_failure_rate 12 %, `);
    expect(stdout).not.toContain("What keeps it from 100");
  });

  test("gives programs the same, the largest gain first", async () => {
    const { stdout } = await service.maturity(["status", "--gain", "--json"]);
    const { gain, metrics, score } = JSON.parse(stdout).items[0];
    expect(gain.metrics.map(({ metric }: { metric: string }) => metric)).toEqual([
      "secret_scan",
      "image_scan",
      "unit_coverage",
    ]);
    expect(gain.metrics[0]).toEqual({
      ...{ scorecard: "security", metric: "secret_scan", score: 0 },
      ...metrics.find(({ metric }: { metric: string }) => metric === "secret_scan").gain,
    });
    const points = gain.metrics.map(({ app_gain }: { app_gain: number }) => app_gain);
    expect(score + points.reduce((sum: number, one: number) => sum + one, 0)).toBeCloseTo(100, 9);
    expect(gain.missing).toHaveLength(11);
  });
});

test("on a terminal its lines end between words", async () => {
  const { stdout } = await service.maturity(["status"], {}, { isTTY: true, columns: 70, env: { NO_COLOR: "1" } });
  for (const line of stdout.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(70);
  expect(stdout).toContain("\n  score is 100 when no hardcoded credential was found\n");
});

test("without an environment it shows each, in NDJSON an object a line", async () => {
  const env = { MATURITY_ENV: "" };
  const { stdout } = await service.maturity(["status"], {}, { env });
  expect(stdout.match(/^shop .*$/gm)).toEqual([
    "shop / checkout / cart / prod  74.0",
    "shop / checkout / cart / test  100.0",
  ]);
  const json = await service.maturity(["status", "--ndjson"], {}, { env });
  const apps = json.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(apps).toMatchObject([
    {
      ...cart,
      metrics: expect.any(Array),
      open_problems: [{ problem_type: "terraform_secret", details: [{ line: 3 }] }],
    },
    { ...cart, env: "test", score: 100, open_problems: [] },
  ]);
});

test("what is missing in the settings is named", async () => {
  const { code, stderr } = await service.maturity(["status"], {}, { env: { MATURITY_APP: "", MATURITY_TEAM: "" } });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^maturity: team, app are missing: give --team /),
  });
});

test("no character of an answer moves the cursor", async () => {
  const hostile = "\u001b[2J\u202e";
  const metric = {
    scorecard: hostile,
    metric: hostile,
    weight: 1,
    state: "fresh",
    score: 1,
    reasons: [{ text: hostile }],
    gain: {
      ...{ app_gain: 1, scorecard_gain: 1 },
      steps: [{ field: hostile, from: 1, to: true, score: 2, app_gain: 1 }],
    },
  };
  const missing = { ...metric, metric: `${hostile}2`, state: "missing", score: undefined, gain: undefined };
  const score = { score: 1, reported: 1, fresh: 1, waived: 0 };
  const app = { ...cart, app: hostile, repo: hostile, ...score, scorecards: [{ scorecard: hostile, ...score }] };
  const problem = { ...cart, problem_type: hostile, severity: hostile, count: 1, details: [{ description: hostile }] };
  const items: Record<string, object> = {
    "/apps": { ...app, metrics: [metric, { ...missing, reported_gain: 0.5 }] },
    "/problems": problem,
    "/scorecards": { scorecard: hostile, weight: 1, metrics: [] },
    "/waivers": { env: null, scorecard: hostile, metric: null, expires_at: hostile, reason: hostile, owner: hostile },
    "/campaigns": { id: "1", name: hostile, due: hostile, progress: { left: 1 } },
    "/campaigns/1/members": {
      ...{ ...cart, value: hostile, target: hostile, state: "lost" },
      step: { scorecard: hostile, metric: hostile, title: hostile, gain: 1 },
    },
  };
  const fetch = async ({ url }: Request) =>
    Response.json({ as_of: "2026-03-01T12:00:00.000Z", items: [items[new URL(url).pathname]], next: null, total: 1 });
  for (const argv of [["status"], ["status", "--gain"]]) {
    const { code, stdout } = await service.maturity(argv, {}, { fetch });
    expect(code).toBe(0);
    expect(stdout).toContain("\\u{1b}[2J\\u{202e}");
    for (const character of ["\u001b", "\u202e"]) expect(stdout).not.toContain(character);
  }
});

test("the first scores of an application are said to be there before they are rolled up", async () => {
  const former = { as_of: "2026-03-01T12:00:00.000Z", items: [], next: null, total: 0 };
  const fetch = async (request: Request) =>
    new URL(request.url).pathname === "/apps" ? Response.json(former) : globalThis.fetch(request);
  const { stdout } = await service.maturity(["status"], {}, { fetch });
  expect(stdout).toMatch(
    /^shop .* cart \/ prod has just sent its first scores; they are rolled up within 15 seconds\n\nOpen problems/,
  );
});

test("shows what is waived, why and until when", async () => {
  const client = createClient({ url: service.url });
  const where = { area: "waived", team: "checkout", app: "cart", env: "prod" };
  await makeKnown(service, { ...where, env: "test" });
  await client.waive({
    ...{ kind: "not_applicable", area: "waived", team: "checkout", scorecard: "reliability" },
    ...{ reason: "runs nowhere yet", owner: "ann" },
  });
  await client.waive({
    ...{ kind: "not_applicable", ...where, env: "test", scorecard: "security", metric: "dast" },
    ...{ reason: "of another environment", owner: "ann" },
  });
  const argv = ["status", "--area", "waived"];
  const { stdout } = await service.maturity(argv);
  expect(stdout).toContain("\n\nWaived\n  reliability, all of it until it is revoked, by ann: runs nowhere yet\n");
  expect(stdout).toMatch(/^reliability +- +40 +- +- +100 %$/m);
  expect(stdout).not.toContain("of another environment");
  const { stdout: json } = await service.maturity([...argv, "--json"]);
  expect(JSON.parse(json).items[0].waivers).toMatchObject([{ scorecard: "reliability", owner: "ann" }]);
});

test("a waived metric costs nothing, and its share of the weight is said", async () => {
  const client = createClient({ url: service.url });
  const where = { area: "waived", team: "checkout", app: "cart", env: "prod" };
  const waiver = { scorecard: "security", metric: "image_scan", reason: "rebuilt in spring", owner: "ann" };
  const { id } = await client.waive({ kind: "not_applicable", ...where, ...waiver });
  const status = async () => (await service.maturity(["status", "--area", "waived"])).stdout;
  await vi.waitFor(
    async () => expect(await status()).toMatch(/^waived .* 100\.0\nreported .*, waived \d+ %\n/),
    30_000,
  );
  expect(await status()).not.toMatch(/image_scan .* costs/);
  await client.revokeWaiver(id);
  await vi.waitFor(async () => expect(await status()).toMatch(/image_scan .* costs/), 30_000);
});
