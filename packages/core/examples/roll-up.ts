import { rollUp } from "@maturity/core";
import { cost } from "./cost.ts";

const basket = { area: "retail", team: "basket", env: "prod", scorecard: "cost" };

const { apps, teams } = rollUp(
  [cost],
  [
    { ...basket, app: "checkout", metric: "budget", score: 48, reported_at: "2026-02-27T08:00:00Z" },
    { ...basket, app: "checkout", metric: "servers", score: 98, reported_at: "2025-06-01T08:00:00Z" },
    { ...basket, app: "vouchers", metric: "budget", score: 100, reported_at: "2025-12-01T08:00:00Z" },
  ],
  new Date("2026-03-01T12:00:00Z"),
);

const percent = (share: number) => `${share * 100} %`;
for (const { app, score, reported, fresh } of apps) {
  console.log(`${app}: ${score}, from ${percent(reported)} of the weight, fresh from ${percent(fresh)}`);
}
for (const { team, score, count, lowest, reported, fresh } of teams) {
  console.log(
    `${team}: ${score}, the average of ${count}, the lowest ${lowest}, from ${percent(reported)} of the weight, fresh from ${percent(fresh)}`,
  );
}

// It prints:
// checkout: 68, from 100 % of the weight, fresh from 100 %
// vouchers: 100, from 60 % of the weight, fresh from 0 %
// basket: 84, the average of 2, the lowest 68, from 80 % of the weight, fresh from 50 %
