import type { Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import type { Metric } from "../data/metrics.ts";
import { useReading } from "../data/reading.ts";
import { count, percent, points, tenths } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Listing } from "../parts/listing.tsx";
import { Fact, Facts, Heat, None } from "../parts/score.tsx";
import { hrefOf, place } from "../place.ts";

type Average = Lists["/metric-averages"];

/** What the metrics are called by their ids, and the scorecards by their names. */
type Titles = ReadonlyMap<string, string>;

function idOf({ scorecard, metric }: Average): string {
  return `${scorecard}.${metric}`;
}

/** Each metric over all applications, what costs most first. */
export function Overview({ env, metrics }: { readonly env: string; readonly metrics: readonly Metric[] }) {
  const { area, team } = place.value;
  const averages = useReading("/metric-averages", { env, area, team });
  const items = averages?.answer.value?.items;
  const titles = useMemo(
    () =>
      new Map(
        metrics.flatMap(({ id, title, scorecard, of }) => [
          [id, title],
          [scorecard, of],
        ]),
      ),
    [metrics],
  );
  const columns = useMemo(() => columnsOf(env, titles, items ?? []), [env, titles, items]);
  return (
    <Listing
      reading={averages}
      nothing="No application has reported"
      env={env}
      of="metric"
      label="Metrics, what costs most first"
      columns={columns}
      order="-gain"
      hasFigures
      before={(averages) => <Figures items={averages} titles={titles} />}
      after={
        <p class="legend">
          A metric costs the points that the score gains if it scores 100 wherever it was reported. Together they are
          what the score lacks to 100. The bar goes from the 10th to the 90th percentile of the applications, with a
          mark at the median.
        </p>
      }
    />
  );
}

function Figures({ items, titles }: { readonly items: readonly Average[]; readonly titles: Titles }) {
  const { area, team } = place.value;
  const score = items[0]?.organisation_score;
  if (score === undefined || score === null) return null;
  const [first] = items.toSorted((a, b) => b.gain - a.gain);
  return (
    <Facts>
      <Fact label={team === undefined ? (area === undefined ? "average of the areas" : "score of the area") : "score"}>
        {points(score)}
      </Fact>
      <Fact label="points that the metrics cost">{points(items.reduce((sum, { gain }) => sum + gain, 0))}</Fact>
      {first && first.gain > 0 && (
        <Fact label={<>most by {titles.get(idOf(first)) ?? first.metric}</>}>{points(first.gain)}</Fact>
      )}
      <Fact label="applications">{count(Math.max(...items.map(({ apps }) => apps)))}</Fact>
    </Facts>
  );
}

function columnsOf(env: string, titles: Titles, items: readonly Average[]): readonly Column<Average>[] {
  const { area, team } = place.value;
  const shares = (["waived", "exempt"] as const).filter((share) => items.some((item) => item[share] > 0));
  return [
    {
      id: "metric",
      head: "Metric",
      kind: "name",
      value: (item) => titles.get(idOf(item)) ?? item.metric,
      href: (item) => hrefOf({ view: "metric", env, area, team, metric: idOf(item) }),
    },
    {
      id: "gain",
      head: "Costs",
      title: "By how many points the score rises if the metric scores 100 wherever it was reported",
      kind: "number",
      isDown: true,
      value: ({ gain }) => gain,
      show: ({ gain }) => tenths(gain),
    },
    {
      id: "score",
      head: "Average",
      title: "Over the applications in which it was reported and counts",
      kind: "heat",
      value: ({ score }) => score ?? undefined,
      show: ({ score, waived }) => <Heat score={score ?? undefined} waived={waived} />,
    },
    {
      id: "median",
      head: "Median",
      title: "Beside a bar in which eight applications in ten are; its mark is the median",
      kind: "shares",
      isMinor: true,
      value: ({ median }) => median ?? undefined,
      show: (item) => <Range of={item} />,
    },
    share("reported", "Reported", "In which share of the applications it was reported, of those in which it counts"),
    share("stale", "Stale", "In which share of them it was reported and is stale"),
    ...shares.map((name) =>
      name === "waived"
        ? share(name, "Waived", "In which share of the applications it is waived")
        : share(name, "Exempt", "In which share of the applications the policy exempts it"),
    ),
    {
      id: "waivers",
      head: "Waivers",
      title: "Waivers in force that cover it in one of these applications",
      kind: "number",
      isMinor: true,
      isDown: true,
      value: ({ waivers }) => waivers,
      show: ({ waivers }) => count(waivers),
      href: (item) => hrefOf({ view: "waivers", env, area, team, waives: idOf(item) }),
    },
    {
      ...{ id: "scorecard", head: "Scorecard", kind: "text", isMinor: true },
      value: ({ scorecard }) => titles.get(scorecard) ?? scorecard,
    },
  ];
}

function share(id: "reported" | "stale" | "waived" | "exempt", head: string, title: string): Column<Average> {
  return {
    ...{ id, head, title, kind: "number", isMinor: true, isDown: id !== "reported" },
    value: (item) => item[id],
    show: (item) => percent(item[id]),
  };
}

/** From the 10th to the 90th percentile, with a mark at the median. */
function Range({ of: { lowest, p10, median, p90, highest } }: { readonly of: Average }) {
  if (lowest === null || p10 === null || median === null || p90 === null || highest === null) return <None />;
  const text = `${points(lowest)} to ${points(highest)}, eight in ten from ${points(p10)} to ${points(p90)}, median ${points(median)}`;
  return (
    <span class="share" title={text}>
      <span class="bar range" aria-hidden="true">
        <i class="stretch" style={{ left: `${p10}%`, width: `${p90 - p10}%` }} />
        <i class="median" style={{ left: `${median}%` }} />
      </span>
      <span class="number" aria-hidden="true">
        {points(median)}
      </span>
      <span class="sr">{text}</span>
    </span>
  );
}
