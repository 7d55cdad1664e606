import type { Summary } from "./summary.ts";

/** The scores as OpenMetrics text, which GitLab compares with those of the target branch in a merge request. */
export function openMetrics({ scores, standing }: Pick<Summary, "scores" | "standing">): string {
  const app = standing?.app;
  return [
    "# TYPE maturity_score gauge",
    ...scores.map(
      ({ scorecard, metric, score }) =>
        `maturity_score{scorecard="${labelValue(scorecard)}",metric="${labelValue(metric)}"} ${score}`,
    ),
    ...(app && app.score !== null
      ? [
          "# TYPE maturity_app_score gauge",
          `maturity_app_score ${Number(app.score.toFixed(2))}`,
          "# TYPE maturity_app_reported_ratio gauge",
          `maturity_app_reported_ratio ${Number(app.reported.toFixed(4))}`,
        ]
      : []),
    "# EOF",
    "",
  ].join("\n");
}

function labelValue(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
