import type { ProblemRequest, ScoreRequest } from "../../src/index.ts";

export const target: Pick<ScoreRequest, "area" | "team" | "app" | "env"> = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
};
export const imageScan: Extract<ScoreRequest, { metric: "image_scan" }> = {
  ...target,
  scorecard: "security",
  metric: "image_scan",
  raw: { critical: 0, high: 3, medium: 12 },
};
export const secret: ProblemRequest = {
  ...target,
  problem_type: "terraform_secret",
  severity: "high",
  count: 1,
  details: [{ file: "main.tf", line: 3, description: "AWS access key" }],
};
