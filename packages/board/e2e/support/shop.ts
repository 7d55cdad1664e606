import { expect } from "vitest";
import { ageScores, missDays, writeDays } from "../../../../services/scoring/test/support/days.ts";
import type { TestService } from "../../../../services/scoring/test/support/service.ts";

interface Result {
  readonly area?: string;
  readonly team?: string;
  readonly app: string;
  readonly env?: string;
  readonly scorecard: string;
  readonly metric: string;
  readonly raw: object;
  readonly measured_at?: string;
  readonly pipeline_id?: string;
  readonly project_repo?: string;
}

const scan = (app: string, high: number, place: Partial<Result> = {}): Result => ({
  ...{ app, scorecard: "security", metric: "image_scan", raw: { critical: 0, high, medium: 12 }, ...place },
});

/** Sends results as pipelines do. */
export async function report({ server }: TestService, results: readonly Result[]): Promise<void> {
  const scores = results.map((result) => ({ area: "shop", team: "checkout", env: "prod", ...result }));
  const { statusCode, payload } = await server.inject({ method: "POST", url: "/scores", payload: { scores } });
  expect(statusCode, payload).toBe(200);
}

/** Waives something as somebody who may does. @returns its id */
export async function waive({ server }: TestService, waiver: object): Promise<string> {
  const body = { kind: "not_applicable", reason: "nobody needs it", owner: "ada", ...waiver };
  const { statusCode, payload } = await server.inject({ method: "POST", url: "/waivers", payload: body });
  expect(statusCode, payload).toBe(201);
  return JSON.parse(payload).id;
}

/** Registers applications of the team checkout. */
export async function register({ server }: TestService, apps: readonly object[]): Promise<void> {
  const payload = { apps: apps.map((app) => ({ area: "shop", team: "checkout", ...app })) };
  const answer = await server.inject({ method: "PUT", url: "/registry", payload });
  expect(answer.statusCode, answer.payload).toBe(200);
}

/** A time so many days from now. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

/**
 * A small organisation: the areas shop and payments, in two environments. Cart was better 70 days ago, has a stale result,
 * an open problem and a resolved one. Gift-cards is registered and has never reported. Two waivers are in force, and one was revoked.
 */
export async function fillShop(service: TestService): Promise<void> {
  const { database, server } = service;
  await report(service, [
    scan("cart", 1),
    { app: "cart", scorecard: "application", metric: "unit_coverage", raw: { coverage_pct: 72.5 } },
    scan("finder", 0, { team: "search" }),
  ]);
  await ageScores(database.knex, 70);
  await report(service, [
    scan("cart", 6, { pipeline_id: "https://ci.example.com/cart/4711", project_repo: "https://git.example.com/cart" }),
    { app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: false } },
    { app: "cart", scorecard: "application", metric: "health_check", raw: { enabled: false } },
    scan("vouchers", 30),
    scan("finder", 0, { team: "search" }),
    scan("ledger", 3, { area: "payments", team: "books" }),
    scan("cart", 0, { env: "staging" }),
  ]);
  await missDays(database.knex, 40);
  await writeDays(database);
  const problem = {
    ...{ area: "shop", team: "checkout", app: "cart", env: "prod" },
    ...{ problem_type: "terraform_secret", severity: "critical", count: 1 },
    details: [{ file: "infra/main.tf", line: 3, description: "AWS access key" }],
  };
  const bucket = { ...problem, problem_type: "public_bucket", severity: "high", details: [] };
  const resolved = { ...bucket, count: 0, measured_at: inDays(-2) };
  for (const report of [problem, { ...bucket, measured_at: inDays(-9) }, resolved]) {
    const { statusCode, payload } = await server.inject({
      method: "POST",
      url: "/problem/scan-result",
      payload: report,
    });
    expect(statusCode, payload).toBeLessThan(300);
  }
  await register(service, [{ app: "cart" }, { app: "gift-cards", owner: "Ann", tier: "1" }]);
  const ledger = { area: "payments", team: "books", app: "ledger" };
  const until = { kind: "accepted", expires_at: inDays(9), owner: "grace", reason: "staging is rebuilt" };
  await waive(service, { ...ledger, ...until, scorecard: "security", metric: "dast" });
  await waive(service, { area: "payments", scorecard: "reliability" });
  const id = await waive(service, { ...ledger, scorecard: "security", metric: "sast", reason: "a mistake" });
  const revoked = await server.inject({ method: "DELETE", url: `/waivers/${id}` });
  expect(revoked.statusCode, revoked.payload).toBe(200);
}

/** The id of the campaign of `runCampaign`. */
export const campaignId = "0195e1f4-6c1b-4d2a-9d55-1f6a0c2f7b3e";

/** A campaign that has run for ten days in production: cart met its goal once, vouchers joined on the last day. */
export async function runCampaign({ database: { knex } }: TestService): Promise<void> {
  const dayIn = (days: number) => inDays(days).slice(0, 10);
  await knex("campaigns").insert({
    ...{ id: campaignId, name: "Images without weaknesses", owner: "security office", created_by: "ada" },
    why: { text: "Two incidents began in an image.", url: "https://wiki.example.com/images" },
    ...{ scope: { env: ["prod"] }, goal: { metric: "security.image_scan", min: 80 } },
    ...{ starts: dayIn(-10), due: dayIn(20), recorded: dayIn(0) },
  });
  const days = Array.from({ length: 11 }, (_, index) => ({
    ...{ campaign_id: campaignId, day: dayIn(index - 10), area: "shop", team: "checkout" },
    ...{ members: 4, met: index < 5 ? 1 : 2, waived: 0, exempt: 0 },
  }));
  await knex("campaign_days").insert(days);
  await knex.raw(
    `INSERT INTO campaign_members (campaign_id, target_id, joined, met_on)
     SELECT ?::uuid, targets.id, CASE app WHEN 'vouchers' THEN ?::date END, CASE app WHEN 'cart' THEN ?::date END
     FROM targets JOIN applications ON applications.id = application_id WHERE env = 'prod'`,
    [campaignId, dayIn(0), dayIn(-10)],
  );
}
