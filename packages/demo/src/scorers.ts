import { application } from "@maturity/application";
import { createEngine, defineMetric, type Engine, halving, type Scorecard } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { imageScan, security } from "@maturity/security";

/** An engine of the shipped scorecards. */
export const demoEngine: Engine = createEngine<Scorecard>([security, reliability, application]);

/**
 * The engine before the change of rules in the made-up year: a former version of the security package, in which a finding
 * in an image cost half as much.
 */
export const formerEngine: Engine = createEngine<Scorecard>([
  {
    ...security,
    package: { ...security.package, version: "0.0.9" },
    metrics: security.metrics.map((metric) =>
      metric.name === imageScan.name
        ? defineMetric({ ...imageScan, score: halving({ critical: 2, high: 10, medium: 80 }) })
        : metric,
    ),
  },
  reliability,
  application,
]);
