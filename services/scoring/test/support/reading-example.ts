import { expect } from "vitest";
import { ageScores } from "./days.ts";
import { saveScores } from "./save-scores.ts";
import type { TestService } from "./service.ts";

const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const vouchers = { ...cart, app: "vouchers" };
const finder = { ...cart, team: "search", app: "finder" };

const former = [
  { ...cart, scorecard: "security", metric: "image_scan", raw: { critical: 0, high: 2, medium: 12 } },
  { ...cart, scorecard: "reliability", metric: "mttr", raw: { minutes: 600 } },
  { ...cart, scorecard: "application", metric: "unit_coverage", raw: { coverage_pct: 62 } },
  { ...finder, scorecard: "reliability", metric: "mttr", raw: { minutes: 90 } },
];

const latest = [
  { ...cart, scorecard: "security", metric: "image_scan", raw: { critical: 0, high: 6, medium: 12 } },
  { ...cart, scorecard: "security", metric: "secret_scan", raw: { found: false } },
  { ...cart, scorecard: "reliability", metric: "mttr", raw: { minutes: 2_880 } },
  { ...cart, scorecard: "application", metric: "health_check", raw: { enabled: false } },
  { ...vouchers, scorecard: "security", metric: "secret_scan", raw: { found: true } },
  { ...vouchers, scorecard: "security", metric: "dast", raw: { high: 0, medium: 2 } },
  { ...finder, scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } },
  { ...finder, scorecard: "reliability", metric: "mttr", raw: { minutes: 30 } },
];

const problem = {
  ...{ ...vouchers, problem_type: "terraform_secret", severity: "high", count: 1 },
  details: [{ file: "main.tf", line: 3, description: "AWS access key" }],
};

/**
 * Reports what the organisation of docs/reading.md reports: some of it 65 days ago, the rest now. Vouchers reported the
 * same result of its dynamic scan then, to other rules.
 */
export async function reportExample({ server, database }: Pick<TestService, "server" | "database">): Promise<void> {
  const post = async (url: string, payload: object) => {
    const answer = await server.inject({ method: "POST", url, payload });
    expect(answer.statusCode, answer.payload).toBe(200);
  };
  await post("/scores", { scores: former });
  await saveScores(database.knex, [
    {
      ...vouchers,
      scorecard: "security",
      metric: "dast",
      raw: { high: 0, medium: 2 },
      score: 100,
      scorer: "@maturity/security@0.0.9",
    },
  ]);
  await ageScores(database.knex, 65);
  await post("/scores", { scores: latest });
  await post("/problem/scan-result", problem);
  await database.knex.raw("UPDATE problems SET opened_at = now() - interval '3 days'");
}
