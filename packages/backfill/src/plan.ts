import type { PastResult } from "./past-result.ts";

/** What there is of a metric. */
export interface MetricPlan {
  readonly scorecard: string;
  readonly metric: string;
  readonly results: number;
  readonly applications: number;
  /** Days in UTC with a result. */
  readonly days: number;
  readonly first: string;
  readonly last: string;
}

/** What results come to, by metrics. @param results in the order of their times */
export function planOf(results: readonly PastResult[]): MetricPlan[] {
  const groups = new Map<string, PastResult[]>(); // Node 20 has no Map.groupBy
  for (const result of results) {
    const key = JSON.stringify([result.submission.scorecard, result.submission.metric]);
    const group = groups.get(key);
    if (group) group.push(result);
    else groups.set(key, [result]);
  }
  return [...groups.values()].map((group) => {
    const submissions = group.map(({ submission }) => submission);
    const days = submissions.map(({ measured_at }) => new Date(measured_at).toISOString().slice(0, 10));
    const apps = submissions.map(({ area, team, app, env }) => JSON.stringify([area, team, app, env]));
    return {
      scorecard: submissions[0]?.scorecard ?? "",
      metric: submissions[0]?.metric ?? "",
      results: group.length,
      applications: new Set(apps).size,
      days: new Set(days).size,
      first: days[0] ?? "",
      last: days.at(-1) ?? "",
    };
  });
}

/** `1,000 results` */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
