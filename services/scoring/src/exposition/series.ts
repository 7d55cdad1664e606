import type { Engine } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import type { Rules } from "../policy/rules.ts";
import { registeredApps } from "../store/apps.ts";
import { labelsSql } from "../store/labels.ts";
import { quoted, whereTarget } from "../store/lines.ts";
import { campaignSample } from "./campaign-samples.ts";
import { metricExempt } from "./exempt-samples.ts";
import { rulesChanged } from "./rules-samples.ts";
import { metricWaived, problemWaived, waiverExpiry } from "./waiver-samples.ts";

/** The families of a scrape without `collect[]`. */
export const defaultFamilies = [
  "scores",
  "timestamps",
  "weights",
  "problems",
  "registry",
  "waivers",
  "campaigns",
  "rules",
] as const;

/** Families that a scrape can select with `collect[]=`. */
export const families: readonly Family[] = [...defaultFamilies, "rollups", "levels", "problem_times"];

export type Family = (typeof defaultFamilies)[number] | "rollups" | "levels" | "problem_times";

/** The name and meaning of a series. All series are gauges. */
export interface Described {
  readonly name: string;
  readonly help: string;
}

/** A series that is read from the store. */
export interface Series extends Described {
  readonly family: Family;
  /** SQL of the labels and the value of each sample, in one text. */
  select(rules: Omit<Rules, "levels">, filter: TargetFilter): string;
}

/** The stored series, in the order of a scrape. Add an entry to add a series. */
export const series: readonly Series[] = [
  {
    family: "weights",
    name: "maturity_metric_weight",
    help: "Weight of a metric in its scorecard, as declared.",
    select: (engine) => declared(metricsOf(engine).map(({ labels, weight }) => `${labels} ${weight}`)),
  },
  {
    family: "weights",
    name: "maturity_metric_max_age_seconds",
    help: "How old a result of a metric may be, as declared; there is none for a metric that never ages.",
    select: (engine) =>
      declared(
        metricsOf(engine).flatMap(({ labels, maxAgeHours }) =>
          maxAgeHours === undefined ? [] : [`${labels} ${maxAgeHours * 3_600}`],
        ),
      ),
  },
  {
    family: "weights",
    name: "maturity_scorecard_weight",
    help: "Weight of a scorecard in the score of an application, as declared.",
    select: ({ scorecards }) =>
      declared(
        scorecards.map(({ name, dimension, weight }) => `{scorecard="${name}",dimension="${dimension}"} ${weight}`),
      ),
  },
  {
    family: "scores",
    name: "maturity_score",
    help: "Latest score of a metric of an application, 0 to 100.",
    select: stored("score", "scores"),
  },
  {
    family: "timestamps",
    name: "maturity_score_measured_timestamp_seconds",
    help: "When the result of the score was measured, in seconds since 1970.",
    select: stored("round(extract(epoch FROM measured_at)::numeric, 3)", "scores"),
  },
  {
    family: "problems",
    name: "maturity_problem_count",
    help: "Findings of a problem by its last scan; 0 is resolved or clean.",
    select: stored("count", "problems"),
  },
  {
    family: "problem_times",
    name: "maturity_problem_open_seconds",
    help: "How long an open problem has been open.",
    select: (_, filter) =>
      `SELECT labels || ' ' || round(extract(epoch FROM greatest(clock_timestamp() - opened_at, interval '0'))::numeric, 3)
       FROM (SELECT * FROM problems_by_name ${whereTarget(filter)}) AS shown WHERE count > 0`,
  },
  {
    family: "registry",
    name: "maturity_app_registered",
    help: "1 for each application that is registered, whether or not it has reported.",
    // An application is registered whatever its environments.
    select: (_, { env: __, ...names }) =>
      `SELECT ${labelsSql({ area: "area", team: "team", app: "app" })} || ' 1' FROM ${registeredApps} ${whereTarget(names)}`,
  },
  {
    family: "waivers",
    name: "maturity_metric_waived",
    help: "1 for each metric, reported or not, that is waived for an application that has a score.",
    select: metricWaived,
  },
  {
    family: "waivers",
    name: "maturity_metric_exempt",
    help: "1 for each metric, reported or not, that the policy exempts an application with a score from.",
    select: metricExempt,
  },
  {
    family: "waivers",
    name: "maturity_problem_waived",
    help: "1 for each problem that was ever reported and is waived now.",
    select: problemWaived,
  },
  {
    family: "waivers",
    name: "maturity_waiver_expiry_timestamp_seconds",
    help: "When a waiver that is in force ends, in seconds since 1970; there is none for one that only a revocation ends.",
    select: waiverExpiry,
  },
  {
    family: "campaigns",
    name: "maturity_campaign_members",
    help: "Members of a running campaign that are neither waived nor exempt, on its last recorded day.",
    select: campaignSample("members"),
  },
  {
    family: "campaigns",
    name: "maturity_campaign_met",
    help: "Members of a running campaign that meet its goal, on its last recorded day.",
    select: campaignSample("met"),
  },
  {
    family: "campaigns",
    name: "maturity_campaign_line_ratio",
    help: "Share of the members that would meet the goal on the last recorded day by a straight line to all of them when it is due.",
    select: campaignSample("line"),
  },
  {
    family: "campaigns",
    name: "maturity_campaign_due_timestamp_seconds",
    help: "When the last day of a running campaign ends, in seconds since 1970.",
    select: campaignSample("due"),
  },
  {
    family: "rules",
    name: "maturity_rules_changed_timestamp_seconds",
    help: "When a change of rules last moved scores, in seconds since 1970; 0 if none did in the last 25 hours.",
    select: rulesChanged,
  },
];

/** The lines that open a series. */
export function header({ name, help }: Described): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;
}

/** The metrics of all scorecards. Their names need no escaping, by the contract of scorecards. */
function metricsOf({ scorecards }: Pick<Engine, "scorecards">) {
  return scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => ({ ...metric, labels: `{scorecard="${name}",metric="${metric.name}"}` })),
  );
}

/** Samples that are known without the store. */
function declared(samples: readonly string[]): string {
  return samples.length > 0
    ? `VALUES ${samples.map((sample) => `(${quoted(sample)})`).join(", ")}`
    : "SELECT NULL WHERE false";
}

/** A sample of each stored row. */
function stored(value: string, table: "scores" | "problems"): Series["select"] {
  return (_, filter) => `SELECT labels || ' ' || ${value} FROM ${table}_by_name ${whereTarget(filter)}`;
}
