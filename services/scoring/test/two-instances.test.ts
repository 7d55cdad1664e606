import { expect, test } from "vitest";
import { report } from "./support/problem-report.ts";
import { createDatabase, type TestService, useService } from "./support/service.ts";

const key = { area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "image_scan" };
const series =
  'maturity_score{area="shop",team="checkout",app="cart",env="prod",scorecard="security",metric="image_scan"}';

/** Two services over one database, as behind a balancer. */
async function useTwo(): Promise<[TestService, TestService]> {
  const databaseUrl = await createDatabase("postgres");
  return Promise.all([useService({ databaseUrl }), useService({ databaseUrl })]);
}

async function score({ server }: TestService, high: number): Promise<{ score: number; reported_at: string }> {
  const { statusCode, payload } = await server.inject({
    method: "POST",
    url: "/score",
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ ...key, raw: { critical: 0, high, medium: 0 } }),
  });
  expect(statusCode).toBe(200);
  return JSON.parse(payload);
}

/** The values of GET /metrics by series. */
async function scrape({ server }: TestService): Promise<Map<string, number>> {
  const { statusCode, payload } = await server.inject("/metrics");
  expect(statusCode).toBe(200);
  const lines = payload.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

test("what one instance took, the other shows at once", async () => {
  const [one, other] = await useTwo();
  expect((await score(one, 5)).score).toBe(50);
  await report(one);
  const samples = await scrape(other);
  expect(samples.get(series)).toBe(50);
  const problem = '{area="shop",team="checkout",app="cart",env="prod",problem_type="terraform_secret",severity="high"}';
  expect(samples.get(`maturity_problem_count${problem}`)).toBe(2);
});

test("the last write wins, whichever instance takes it", async () => {
  const [one, other] = await useTwo();
  await score(one, 0);
  await score(other, 5);
  expect((await scrape(one)).get(series)).toBe(50);
  await score(one, 10);
  expect((await scrape(other)).get(series)).toBe(25);
  await report(other, { count: 7 });
  await report(one, { count: 0, details: [] });
  const counts = [...(await scrape(other))].filter(([name]) => name.startsWith("maturity_problem_count"));
  expect(counts.map(([, count]) => count)).toEqual([0]);
});

test("of many writes through both at once one stands, and both show the same", async () => {
  const [one, other] = await useTwo();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => score(index % 2 === 0 ? one : other, index)),
  );
  const [fromOne, fromOther] = [await scrape(one), await scrape(other)];
  expect(fromOne).toEqual(fromOther);
  expect(answers.map(({ score }) => score)).toContain(fromOne.get(series));
  expect([...fromOne.keys()].filter((name) => name.startsWith("maturity_score{"))).toEqual([series]);
});
