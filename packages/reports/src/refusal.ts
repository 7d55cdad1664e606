import type { Asked } from "./assume.ts";
import { canAssume } from "./assume.ts";
import { ReportError, type WayOut } from "./errors.ts";
import type { Format } from "./format.ts";
import type { Held } from "./held.ts";
import type { FindingKind, ReportMetric } from "./kinds.ts";

/** The error for a report that says nothing about what was asked for. */
export function aboutOther(
  { title, metrics, problems = [] }: Pick<Format, "title" | "metrics" | "problems">,
  asked: { readonly for?: "score" | "problem"; readonly metric?: ReportMetric; readonly kind?: FindingKind },
): ReportError {
  if (asked.for !== "problem") {
    const about = metrics.length > 0 ? `is about ${metrics.join(", ")}` : "feeds no metric";
    const ways = metrics.map((metric) => ({ metric }));
    return new ReportError("wrong-metric", `this ${title} report ${about}, not ${asked.metric}`, ways);
  }
  const only = problems.length > 0 ? `, only ${problems.join(", ")}` : "";
  const ways = problems.map((kind) => ({ kind }));
  return new ReportError("wrong-metric", `${title} lists no ${asked.kind ?? "findings"} with their files${only}`, ways);
}

/**
 * The error for a report that does not prove that the tool looked for what was asked for.
 *
 * @param missing what the format says about it
 * @param held what the report contains instead
 */
export function nothingMeasured(missing: string, held: readonly Held[], asked?: Asked): ReportError {
  const others: WayOut[] = held.flatMap(({ metric, kind }): WayOut[] => {
    if (asked && "kind" in asked) return kind && kind !== asked.kind ? [{ kind }] : [];
    return metric && metric !== asked?.metric ? [{ metric }] : [];
  });
  const ways = asked && canAssume(asked) ? [...others, { assumeScanned: true }] : others;
  return new ReportError("nothing-measured", `${missing}${holding(held)}`, ways);
}

/** The error for a report that can be about several metrics or kinds, if the caller named none. */
export function undecided({ title }: Format, ways: readonly WayOut[], held: readonly Held[]): ReportError {
  const what = ways.some((way) => "kind" in way) ? "kind of findings" : "metric";
  const names = ways.flatMap((way) => ("metric" in way ? way.metric : "kind" in way ? way.kind : [])).join(" or ");
  const message = `this ${title} report is not made for one ${what}, so name it: ${names}${holding(held)}`;
  return new ReportError("undecided", message, ways);
}

function holding(held: readonly Held[]): string {
  return held.length > 0 ? `; it holds ${held.map(({ what }) => what).join(", ")}` : "";
}
