import type { Recipe } from "./recipe.ts";

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Of results of the past. */
export const pastRecipes: Readonly<Record<string, Recipe>> = {
  "SonarQube, its past": {
    tool: "curl",
    file: "measures.json",
    report: {
      paging: { pageIndex: 1, pageSize: 1_000, total: 3 },
      measures: [
        {
          metric: "coverage",
          history: [
            { date: daysAgo(9).replace(/\..*/, "+0100"), value: "40.5" },
            { date: daysAgo(6).replace(/\..*/, "+0000") },
            { date: daysAgo(3).replace(/\..*/, "-0330"), value: "70.5" },
          ],
        },
      ],
    },
    scores: { unit_coverage: { coverage_pct: 70.5 } },
  },
  "DefectDojo, its past": {
    tool: "curl",
    file: "findings.json",
    report: {
      ...{ count: 3, next: null, previous: null },
      results: [
        { severity: "High", date: daysAgo(9).slice(0, 10), mitigated: daysAgo(3) },
        { severity: "High", date: daysAgo(6).slice(0, 10), mitigated: null },
        { severity: "Critical", date: daysAgo(6).slice(0, 10), mitigated: daysAgo(3) },
      ],
    },
    scores: { sast: { critical: 0, high: 1, medium: 0 } },
  },
  "Another service like this one": {
    tool: "curl",
    file: "scores.csv",
    report: `area,team,app,env,scorecard,metric,score,measured_at,raw
shop,checkout,app of Another service like this one,prod,reliability,sla,50,${daysAgo(2)},"{""availability_pct"":99.5}"
`,
    scores: { sla: { availability_pct: 99.5 } },
  },
};
