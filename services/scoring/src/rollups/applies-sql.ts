import type { AppliesRule, AppliesTo } from "@maturity/core";
import { firstMoment } from "../store/utc.ts";

/** The facts that rules look at. */
export interface RuleFields {
  readonly usesTier: boolean;
  readonly labels: readonly string[];
  readonly usesEnv: boolean;
}

/** The facts that any of the rules looks at. */
export function fieldsOf(rules: readonly AppliesRule[]): RuleFields {
  const conditions = rules.flatMap(({ when, unless }) => [when ?? {}, unless ?? {}]);
  return {
    usesTier: conditions.some(({ tier }) => tier),
    labels: [...new Set(conditions.flatMap(({ labels = {} }) => Object.keys(labels)))],
    usesEnv: conditions.some(({ env }) => env),
  };
}

/** How the SQL of a rule reads facts and values. */
export interface RuleSql {
  /** SQL of a text that is `=` and the value of a fact, or empty where the application has none. */
  fact(field: "tier" | "env" | { readonly label: string }): string;
  /** SQL of a text. */
  text(value: string): string;
}

/** SQL of whether a rule does not apply to an application, as `findExemptions` of core. */
export function isNotApplicable({ when, unless }: AppliesRule, sql: RuleSql): string {
  const misfits = termsOf(when, sql).map((term) => `NOT (${term})`);
  const fits = termsOf(unless, sql).join(" AND ");
  return [...misfits, ...(fits ? [`(${fits})`] : [])].join(" OR ") || "false";
}

/** SQL of whether a rule only announces. */
export function isAnnounced({ from }: AppliesRule, sql: RuleSql): string {
  return from === undefined ? "false" : `statement_timestamp() < ${firstMoment(sql.text(from))}`;
}

function termsOf({ tier, labels = {}, env }: AppliesTo = {}, sql: RuleSql): string[] {
  const isIn = (fact: string, values: readonly string[]) =>
    `${fact} IN (${values.map((value) => sql.text(`=${value}`)).join(", ")})`;
  return [
    ...(tier ? [isIn(sql.fact("tier"), tier)] : []),
    ...Object.entries(labels).map(([label, values]) => isIn(sql.fact({ label }), values)),
    ...(env ? [isIn(sql.fact("env"), env)] : []),
  ];
}

/**
 * SQL of a fact, from the columns of `applications` and `targets`.
 *
 * @param text writes a value in SQL
 */
export function factSql(
  { applications, targets }: Readonly<Record<"applications" | "targets", string>>,
  text: RuleSql["text"],
): RuleSql["fact"] {
  return (field) => {
    if (field === "env") return `('=' || ${targets}.env)`;
    const value = field === "tier" ? `${applications}.tier` : `${applications}.labels ->> ${text(field.label)}`;
    return `coalesce('=' || (${value}), '')`;
  };
}
