import { createClient } from "@maturity/client";

const maturity = createClient({
  url: process.env.MATURITY_URL ?? "http://127.0.0.1:8080",
  token: process.env.MATURITY_TOKEN,
});

for await (const { app, env, score, reported } of maturity.apps({ team: "checkout", below: 90 })) {
  console.log(`${app} in ${env}: ${score?.toFixed(1)}, ${Math.round(reported * 100)} % of the weight reported`);
}

const { items, total } = await maturity.scores({ app: "cart", sort: "score", detail: true, limit: 1 }).page();
console.log(`the worst of ${total} scores:`);
for (const { metric, score, reasons } of items) {
  console.log(`${metric} ${score}`);
  for (const { text } of reasons ?? []) console.log(`- ${text}`);
}

// After report.ts it prints:
// cart in prod: 77.6, 27 % of the weight reported
// the worst of 3 scores:
// image_scan 53.59
// - 3 high findings leave 66 % of the score; every 5 of them halve it
// - 12 medium findings leave 81 % of the remaining score; every 40 of them halve it
