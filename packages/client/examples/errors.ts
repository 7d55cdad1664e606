import { type AnySubmission, createClient, MaturityClientError } from "@maturity/client";

const maturity = createClient<AnySubmission>({ url: process.env.MATURITY_URL ?? "http://127.0.0.1:8080" });

try {
  await maturity.submit({
    area: "shop",
    team: "checkout",
    app: "cart",
    env: "prod",
    scorecard: "security",
    metric: "image_scan",
    raw: { critical: -1, high: "3" },
  });
} catch (error) {
  if (!(error instanceof MaturityClientError)) throw error;
  console.log(error.code, error.status);
  for (const { path, message } of error.details) console.log(`- ${path} ${message}`);
}

// It prints:
// invalid-raw 400
// - raw.critical must be greater than or equal to 0
// - raw.high must be a number
// - raw.medium is required
