import type { AppliesRule, AppliesTo } from "@maturity/core";
import sql, { join, raw, type Sql } from "sql-template-tag";
import { conjunction } from "../store/conditions.ts";
import { startOfDay } from "../store/utc.ts";

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

/** SQL of a text that is `=` and the value of a fact, or empty where the application has none. */
export type FactSql = (field: "tier" | "env" | { readonly label: string }) => Sql;

/** SQL of whether a rule does not apply to an application, as `findExemptions` of core. */
export function isNotApplicable({ when, unless }: AppliesRule, fact: FactSql): Sql {
  const fits = termsOf(unless, fact);
  return sql`NOT (${conjunction(termsOf(when, fact))}) OR ${fits.length > 0 ? conjunction(fits) : sql`false`}`;
}

/** SQL of whether a rule only announces. */
export function isAnnounced({ from }: AppliesRule): Sql {
  return from === undefined ? sql`false` : sql`statement_timestamp() < ${startOfDay(from)}`;
}

function termsOf({ tier, labels = {}, env }: AppliesTo = {}, fact: FactSql): Sql[] {
  const isIn = (field: Parameters<FactSql>[0], values: readonly string[]) =>
    sql`${fact(field)} IN (${join(values.map((value) => sql`${`=${value}`}::text`))})`;
  return [
    ...(tier ? [isIn("tier", tier)] : []),
    ...Object.entries(labels).map(([label, values]) => isIn({ label }, values)),
    ...(env ? [isIn("env", env)] : []),
  ];
}

/** SQL of a fact, from the columns of `applications` and `targets`. */
export function factSql({ applications, targets }: Readonly<Record<"applications" | "targets", string>>): FactSql {
  return (field) => {
    if (field === "env") return raw(`('=' || ${targets}.env)`);
    if (field === "tier") return raw(`coalesce('=' || (${applications}.tier), '')`);
    return sql`coalesce('=' || (${raw(applications)}.labels ->> ${field.label}::text), '')`;
  };
}
