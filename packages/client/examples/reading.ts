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
