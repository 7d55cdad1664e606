import type { Campaign } from "@maturity/client";
import { metricsOf } from "../data/metrics.ts";
import { useReading } from "../data/reading.ts";
import { titleOf } from "../data/scorecards.ts";
import { breakable } from "../parts/grid.tsx";

/** What a goal asks for, by the titles of metrics and scorecards. */
export function GoalText({ of }: { readonly of: Campaign["goal"] }) {
  const scorecards = useReading("/scorecards", {})?.answer.value?.items ?? [];
  const text = () => {
    if ("metric" in of) {
      const title = metricsOf(scorecards).find(({ id }) => id === of.metric)?.title;
      return `${title ?? of.metric} from ${of.min} on`;
    }
    if ("scorecard" in of) return `${titleOf(scorecards, of.scorecard)} from ${of.min} on`;
    if ("level" in of) return `level ${of.level}`;
    const { no_open_problems: severities, problem_type: type } = of;
    return `no open ${severities.join(" or ")} problem${type === undefined ? "" : ` of the type ${type}`}`;
  };
  return <bdi>{breakable(text())}</bdi>;
}
