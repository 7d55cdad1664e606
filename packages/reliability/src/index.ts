import { defineScorecard, type Scorecard } from "@maturity/core";
import packageJson from "../package.json" with { type: "json" };
import { changeFailureRate } from "./change-failure-rate.ts";
import { mttd } from "./mttd.ts";
import { mttr } from "./mttr.ts";
import { sla } from "./sla.ts";

export { changeFailureRate, mttd, mttr, sla };

/** How well does it run? */
export const reliability: Scorecard<"reliability", typeof sla | typeof changeFailureRate | typeof mttr | typeof mttd> =
  defineScorecard({
    name: "reliability",
    title: "Reliability",
    dimension: "run",
    weight: 40,
    package: packageJson,
    metrics: [sla, changeFailureRate, mttr, mttd],
  });
