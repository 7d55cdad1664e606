import type { Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import type { Metric } from "../data/metrics.ts";
import { type Asked, firstItems, useReading } from "../data/reading.ts";
import { count, span } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { breakable } from "../parts/grid.tsx";
import { Chips, Heading, Switch } from "../parts/heading.tsx";
import { Listing } from "../parts/listing.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { Notice } from "../parts/states.tsx";
import { change, hrefOf, place } from "../place.ts";
import { ageColumn, namesOf, resultColumn, stateColumn } from "../screens/columns.tsx";
import { AskButton } from "../waivers/ask-button.tsx";
import { AboutMetric } from "./metric-about.tsx";
import { Spread } from "./metric-spread.tsx";

const hour = 3_600_000;

/** As many lines as most reasons take; on a narrow page they stand below the name. */
const [rowHeight, narrowRowHeight] = [58, 100];

/** Of an address with a metric that no installed scorecard has, or several. */
export function NoMetric({ env, metrics }: { readonly env: string; readonly metrics: readonly Metric[] }) {
  const several = metrics.filter(({ metric }) => metric === place.value.metric);
  return (
    <>
      <Heading trail={[{ name: "Metrics", to: { view: "metric", env } }]}>Metrics</Heading>
      <Chips>
        <MetricChoice metrics={metrics} />
      </Chips>
      {several.length > 0 ? (
        <Notice title="Which metric?">
          <p>Several scorecards have a metric of this name:</p>
          <ul>
            {several.map(({ id, title }) => (
              <li key={id}>
                <a href={hrefOf({ ...place.value, metric: id })}>{title}</a> <small>{id}</small>
              </li>
            ))}
          </ul>
        </Notice>
      ) : (
        <Notice title="No such metric">
          <p>
            No scorecard here has the metric <b dir="auto">{place.value.metric}</b>.
          </p>
        </Notice>
      )}
    </>
  );
}

/** The applications by one metric, the worst first with why, and those that never reported it. */
export function OfMetric({
  env,
  metric,
  metrics,
}: {
  readonly env: string;
  readonly metric: Metric;
  readonly metrics: readonly Metric[];
}) {
  const { area, team, missing, former, below, all } = place.value;
  const isNarrow = useNarrow();
  const query = { env, area, team };
  const whole = { ...query, scorecard: metric.scorecard, metric: metric.metric };
  const ofMetric = former ? { ...whole, former_rules: true } : whole;
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const absent = useReading(
    "/apps",
    { ...query, missing: metric.id, sort: "name", limit: missing ? firstItems : 1 },
    { upTo: missing ? upTo : 1 },
  );
  const found = useReading("/scores", missing ? undefined : { ...ofMetric, below, sort: "score", limit: firstItems }, {
    upTo,
  });
  const byFormerRules = useReading("/scores", { ...whole, former_rules: true, limit: 1 }, { upTo: 1 })?.answer.value
    ?.total;
  const reasons = useReasons(missing ? undefined : { ...ofMetric, below, sort: "score", detail: true });
  const columns = useMemo(
    () => columnsOf(env, reasons, former !== undefined, isNarrow),
    [env, reasons, former, isNarrow],
  );
  const absentColumns = useMemo(() => namesOf<Lists["/apps"]>(env), [env]);
  return (
    <>
      <Heading trail={[{ name: "Metrics", to: { view: "metric", env, ...(area && { area }), ...(team && { team }) } }]}>
        {metric.title} <small>{metric.metric}</small>
      </Heading>
      <p class="soft">
        {metric.of}, weight {metric.weight}
        {metric.max_age_hours !== null && `, a result is good for ${span(metric.max_age_hours * hour)}`}{" "}
        {area !== undefined && (
          <AskButton
            of={{ area, team, scorecard: metric.scorecard, metric: metric.metric }}
            about={`${metric.metric} of ${team ?? area}`}
          />
        )}
      </p>
      <AboutMetric metric={metric} />
      <Chips>
        <MetricChoice metrics={metrics} metric={metric} />
        <Switch name="missing">never reported{absent?.answer.value && `: ${count(absent.answer.value.total)}`}</Switch>
        {!missing && (former || (byFormerRules ?? 0) > 0) && (
          <Switch name="former">by former rules{byFormerRules !== undefined && `: ${count(byFormerRules)}`}</Switch>
        )}
      </Chips>
      {!missing && (
        <Spread key={hrefOf({ ...query, metric: metric.id, former })} query={ofMetric} scores={found?.answer.value} />
      )}
      {missing ? (
        <Listing
          reading={absent}
          nothing="Every application that reported anything has reported this"
          env={env}
          of="application"
          label="Applications that never reported it"
          columns={absentColumns}
          order="name"
          given="area"
        />
      ) : (
        <Listing
          reading={found}
          nothing={former ? "No score is one of former rules" : "No application has reported this"}
          env={env}
          of="application"
          label="Applications, the worst first"
          columns={columns}
          order="score"
          rowHeight={isNarrow ? narrowRowHeight : rowHeight}
          after={
            found?.answer.value?.items.some(({ waived }) => waived) && (
              <p class="legend">The bars leave out what is waived.</p>
            )
          }
        />
      )}
    </>
  );
}

function MetricChoice({ metrics, metric }: { readonly metrics: readonly Metric[]; readonly metric?: Metric }) {
  const scorecards = [...new Set(metrics.map(({ scorecard }) => scorecard))];
  return (
    <select
      aria-label="Metric"
      value={metric?.id ?? ""}
      onChange={({ currentTarget }) => change({ metric: currentTarget.value, below: undefined })}
    >
      {!metric && <option value="">choose a metric</option>}
      {scorecards.map((name) => (
        <optgroup key={name} label={metrics.find(({ scorecard }) => scorecard === name)?.of ?? name}>
          {metrics
            .filter(({ scorecard }) => scorecard === name)
            .map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

type Reasons = ReadonlyMap<string, readonly string[]>;

/** How many results are asked for at a time to say why they score so: a result can be large. */
const withReasons = 250;

/** Why the worst applications score so. Others can be asked one by one. */
function useReasons(query: Asked<"/scores"> | undefined): Reasons {
  const found = useReading("/scores", query && { ...query, limit: withReasons }, { upTo: firstItems })?.answer.value;
  return useMemo(
    () =>
      new Map(
        found?.items.map((score) => [
          keyOf(score),
          score.reasons === null
            ? [`by former rules, those of ${score.scorer}`]
            : score.reasons?.length === 0
              ? ["nothing to improve"]
              : (score.reasons?.map(({ text }) => text) ?? []),
        ]),
      ),
    [found],
  );
}

function keyOf({ area, team, app }: Pick<Lists["/scores"], "area" | "team" | "app">): string {
  return JSON.stringify([area, team, app]);
}

/** @param isFormer whether the scores are those of former rules, so that who computed them says something */
function columnsOf(
  env: string,
  reasons: Reasons,
  isFormer: boolean,
  isNarrow: boolean,
): readonly Column<Lists["/scores"]>[] {
  const [name, ...above] = namesOf<Lists["/scores"]>(env);
  // What was found says why; by how much each finding counts is the same for all.
  const why = (score: Lists["/scores"]) => {
    const texts = reasons.get(keyOf(score)) ?? [];
    return <bdi title={texts.join("; ")}>{texts.map((text) => text.split("; ")[0]).join("; ")}</bdi>;
  };
  return [
    {
      ...name,
      ...(isNarrow && {
        show: (score) => (
          <>
            <bdi>{breakable(score.app)}</bdi>
            <small class="below lines">{why(score)}</small>
          </>
        ),
      }),
    },
    resultColumn(),
    {
      ...{ id: "why", head: "Why", kind: "long", width: 460, isMinor: true, show: why },
      value: (score) => reasons.get(keyOf(score))?.join("; "),
    },
    { ...stateColumn(), isMinor: true },
    { ...ageColumn(), isMinor: true },
    ...above,
    ...(isFormer ? [scorerColumn] : []),
  ];
}

const scorerColumn: Column<Lists["/scores"]> = {
  ...{ id: "scorer", head: "Computed by", kind: "text", isMinor: true, value: ({ scorer }) => scorer },
};
