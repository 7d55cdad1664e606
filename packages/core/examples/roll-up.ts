import { rollUp } from "@maturity/core";
import { cost } from "./cost.ts";

const basket = { area: "retail", team: "basket", env: "production", scorecard: "cost" };

const { apps, teams } = rollUp(
  [cost],
  [
    { ...basket, app: "checkout", metric: "budget", score: 48 },
    { ...basket, app: "checkout", metric: "servers", score: 98 },
    { ...basket, app: "vouchers", metric: "budget", score: 100 },
  ],
);

for (const { app, score, coverage } of apps) console.log(`${app}: ${score}, from ${coverage * 100} % of the weight`);
for (const { team, score, count, lowest, coverage } of teams) {
  console.log(
    `${team}: ${score}, the average of ${count}, the lowest ${lowest}, from ${coverage * 100} % of the weight`,
  );
}
