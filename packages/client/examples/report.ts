import { createClient } from "@maturity/client";

const maturity = createClient({
  url: process.env.MATURITY_URL ?? "http://127.0.0.1:8080",
  token: process.env.MATURITY_TOKEN,
});
const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };

const { score, reasons } = await maturity.submit({
  ...cart,
  scorecard: "security",
  metric: "image_scan",
  raw: { critical: 0, high: 3, medium: 12 },
});
console.log(`image_scan ${score}`);
for (const { text } of reasons) console.log(`- ${text}`);

await maturity.submitAll([
  { ...cart, scorecard: "reliability", metric: "mttr", raw: { minutes: 90 } },
  { ...cart, scorecard: "reliability", metric: "sla", raw: { availability_pct: 99.95 } },
]);

await maturity.reportProblem({
  ...cart,
  problem_type: "terraform_secret",
  severity: "high",
  count: 1,
  details: [{ file: "main.tf", line: 3, description: "AWS access key" }],
});

for await (const { metric, score } of maturity.scores({ app: "cart", sort: "name" })) console.log(metric, score);
for await (const { problem_type, count } of maturity.problems({ app: "cart" })) console.log(problem_type, count);
