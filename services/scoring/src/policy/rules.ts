import type { AnyMetric, AppliesRule, Level, Scorecard } from "@maturity/core";
import { metricIds } from "@maturity/core/wire";

/** Settings of an organisation that replace the declarations of the packages. */
export interface Policy {
  /** Weights of scorecards, by name, and of metrics, by `scorecard.metric`. */
  readonly weights: Readonly<Record<string, number>>;
  /** The maximum age of results in hours, by `scorecard.metric`; null if they never age. */
  readonly maxAgeHours: Readonly<Record<string, number | null>>;
  /** The lowest first; the default levels if absent. */
  readonly levels?: readonly Level[];
  /** To whom metrics apply; all metrics apply to all, if absent. */
  readonly applies?: readonly AppliesRule[];
}

/** The scorecards with their weights and maximum ages in force, the levels, and to whom metrics apply. */
export interface Rules {
  readonly scorecards: readonly Scorecard[];
  /** The lowest first. */
  readonly levels: readonly Level[];
  readonly applies: readonly AppliesRule[];
}

/** The policy that changes nothing. */
export const noPolicy: Policy = { weights: {}, maxAgeHours: {} };

/** The levels of a policy without `levels`. */
const defaultLevels: readonly Level[] = [
  { name: "bronze", minScore: 50, minFresh: 0.5 },
  { name: "silver", minScore: 70, minFresh: 0.75 },
  {
    name: "gold",
    minScore: 85,
    minFresh: 0.9,
    metrics: { "security.secret_scan": 100 },
    noOpenProblems: "critical",
  },
];

/** The rules that a policy makes of the declared scorecards. */
export function applyPolicy(
  declared: readonly Scorecard[],
  { weights, maxAgeHours, levels, applies = [] }: Policy,
): Rules {
  // Brackets alone would also find inherited members, such as `constructor`.
  const own = <Value>(table: Readonly<Record<string, Value>>, name: string) =>
    Object.hasOwn(table, name) ? table[name] : undefined;
  const scorecards = declared.map((scorecard) => ({
    ...scorecard,
    weight: own(weights, scorecard.name) ?? scorecard.weight,
    metrics: scorecard.metrics.map((metric) => {
      const name = `${scorecard.name}.${metric.name}`;
      return withAge({ ...metric, weight: own(weights, name) ?? metric.weight }, own(maxAgeHours, name));
    }),
  }));
  return { scorecards, levels: levels ?? withoutUnknown(defaultLevels, scorecards), applies };
}

function withAge(metric: AnyMetric, hours: number | null | undefined): AnyMetric {
  if (hours === undefined) return metric;
  const { maxAgeHours: _, ...ageless } = metric;
  return hours === null ? ageless : { ...ageless, maxAgeHours: hours };
}

/** The names of scorecards, and of metrics as `scorecard.metric`. */
export function namesOf(scorecards: readonly Scorecard[]): { scorecards: string[]; metrics: string[] } {
  return {
    scorecards: scorecards.map(({ name }) => name),
    metrics: metricIds(scorecards),
  };
}

/** Leaves out conditions on metrics that are not installed. */
function withoutUnknown(levels: readonly Level[], scorecards: readonly Scorecard[]): Level[] {
  const known = new Set(metricIds(scorecards));
  return levels.map(({ metrics = {}, ...level }) => {
    const left = Object.entries(metrics).filter(([name]) => known.has(name));
    return left.length > 0 ? { ...level, metrics: Object.fromEntries(left) } : level;
  });
}
