import type { AppliesRule, WeighedScorecard } from "@maturity/core";
import sql, { raw } from "sql-template-tag";
import type { TargetFilter } from "../model/target-filter.ts";
import { type FactSql, factSql, fieldsOf, isAnnounced, isNotApplicable } from "../rollups/applies-sql.ts";
import type { RollUpRules } from "../rollups/rules.ts";
import { closingLabels } from "../store/labels.ts";
import { quoted, textOf, whereTarget } from "../store/lines.ts";

const stored = factSql({ applications: "applications", targets: "targets" });

/**
 * SQL of a sample for each metric that the policy exempts an application with a score from. The rules are evaluated once for
 * equal facts; a join of the facts finds the applications.
 */
export function metricExempt({ scorecards, applies }: Omit<RollUpRules, "levels">, filter: TargetFilter): string {
  const { usesTier, labels, usesEnv } = fieldsOf(applies);
  const fields = [
    ...(usesTier ? (["tier"] as const) : []),
    ...labels.map((label) => ({ label })),
    ...(usesEnv ? (["env"] as const) : []),
  ];
  const columns = fields.map((_, index) => `fact_${index}`);
  const fact: FactSql = (field) => raw(columns[fields.findIndex((one) => nameOf(one) === nameOf(field))] ?? "''");
  const exemptions = applies.flatMap((rule) => {
    const metrics = metricsOf(scorecards, rule);
    if (metrics.length === 0) return [];
    return `SELECT equal.*, metric.* FROM equal, (VALUES ${metrics.join(", ")}) AS metric (scorecard, metric)
      WHERE ${textOf(sql`${isNotApplicable(rule, fact)} OR ${isAnnounced(rule)}`)}`;
  });
  if (exemptions.length === 0) return "SELECT NULL WHERE false";
  const listed = ["true AS is_known", ...columns].join(", ");
  const facts = [
    "true AS is_known",
    ...fields.map((field, index) => `${textOf(stored(field))} AS ${columns[index]}`),
  ].join(", ");
  return `
    WITH known AS MATERIALIZED (
      SELECT targets.id, targets.labels AS target_labels, area, team, app, env, ${facts}
      FROM targets JOIN applications ON applications.id = application_id
      WHERE applications.retired_at IS NULL AND held_since IS NULL AND targets.retired_at IS NULL
    ),
    shown AS (SELECT * FROM known ${whereTarget(filter)}),
    equal AS MATERIALIZED (SELECT DISTINCT ${listed} FROM shown),
    exempt AS MATERIALIZED (${exemptions.join(" UNION ")})
    SELECT target_labels || ${closingLabels({ scorecard: "scorecard", metric: "metric" })} || ' 1'
    FROM shown JOIN exempt USING (${["is_known", ...columns].join(", ")})
    WHERE EXISTS (SELECT FROM scores WHERE target_id = shown.id)
  `;
}

function nameOf(field: "tier" | "env" | { readonly label: string }): string {
  return typeof field === "string" ? field : `labels.${field.label}`;
}

/** The metrics of a rule that are installed, as rows of SQL. */
function metricsOf(scorecards: readonly WeighedScorecard[], rule: AppliesRule): string[] {
  return scorecards
    .filter(({ name }) => name === rule.scorecard)
    .flatMap(({ name, metrics }) =>
      metrics
        .filter((metric) => rule.metric === undefined || rule.metric === metric.name)
        .map((metric) => `(${quoted(name)}, ${quoted(metric.name)})`),
    );
}
