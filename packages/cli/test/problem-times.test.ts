import { createClient } from "@maturity/client";
import { beforeAll, expect, test } from "vitest";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const problem = { area: "shop", team: "checkout", app: "cart", env: "prod", severity: "high" } as const;

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

beforeAll(async () => {
  const client = createClient({ url: service.url });
  const report = (problem_type: string, count: number, days: number) =>
    client.reportProblem({ ...problem, problem_type, count, measured_at: daysAgo(days) });
  await report("secret", 2, 9.5);
  await report("bucket", 1, 12.5);
  await report("bucket", 0, 8.5);
});

async function rows(...argv: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await service.maturity(["problem", ...argv]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout
    .trimEnd()
    .split("\n")
    .map((row) => row.trim().replace(/ +/g, " "));
}

test("resolved problems are listed with how long they were open", async () => {
  expect(await rows("list", "--resolved")).toEqual([
    "AREA TEAM APP ENV PROBLEM SEVERITY FINDINGS OPEN FOR",
    "shop checkout cart prod bucket high 0 4 days, resolved 8 days ago",
  ]);
});

test("times are listed by area and severity, or over all areas", async () => {
  const head = "AREA ENV SEVERITY OPEN MEDIAN 90 % WITHIN RESOLVED MEDIAN TOOK 90 % TOOK UP TO";
  const found = "prod high 1 9 days 9 days 1 4 days 4 days";
  expect(await rows("times")).toEqual([head, `shop ${found}`]);
  expect(await rows("times", "--by", "severity")).toEqual([head, `all ${found}`]);
});

test("weeks are listed with what was opened, resolved and open", async () => {
  const [head, ...weeks] = await rows("weeks", "--since", "30d");
  expect(head).toBe("WEEK FROM OPENED RESOLVED OPEN AT ITS END");
  const sum = (place: number) => weeks.reduce((total, row) => total + Number(row.split(" ")[place]), 0);
  expect([sum(1), sum(2), weeks.at(-1)?.split(" ")[3]]).toEqual([2, 1, "1"]);
});
