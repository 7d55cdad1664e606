import type { Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { type Metric, metricsOf } from "../data/metrics.ts";
import { firstItems, useReading } from "../data/reading.ts";
import { count, span } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Chips, Heading, Switch } from "../parts/heading.tsx";
import { Listing } from "../parts/listing.tsx";
import { Notice, Read } from "../parts/states.tsx";
import { change, hrefOf, place } from "../place.ts";
import { AskButton } from "../waivers/ask-button.tsx";
import { ageColumn, namesOf, resultColumn, stateColumn } from "./columns.tsx";
import { AboutMetric } from "./metric-about.tsx";
import { Spread } from "./metric-spread.tsx";

const hour = 3_600_000;

/** The applications that fail a metric, everywhere, and those that never reported it. */
export function MetricScreen({ env }: { readonly env: string }) {
  const scorecards = useReading("/scorecards", {});
  return (
    <Read reading={scorecards}>
      {({ items }) => {
        const metrics = metricsOf(items);
        const { metric: named = metrics[0]?.id } = place.value;
        const metric = metrics.find(({ id }) => id === named);
        return metric ? <OfMetric env={env} metric={metric} metrics={metrics} /> : <NoMetric metrics={metrics} />;
      }}
    </Read>
  );
}

/** Of an address with a metric that no registered scorecard has. */
function NoMetric({ metrics }: { readonly metrics: readonly Metric[] }) {
  return (
    <>
      <Heading>Metrics</Heading>
      <Chips>
        <MetricChoice metrics={metrics} />
      </Chips>
      <Notice title="No such metric">
        <p>
          No scorecard here has the metric <b dir="auto">{place.value.metric}</b>.
        </p>
      </Notice>
    </>
  );
}

function OfMetric({
  env,
  metric,
  metrics,
}: {
  readonly env: string;
  readonly metric: Metric;
  readonly metrics: readonly Metric[];
}) {
  const { area, team, missing, former, below, all } = place.value;
  const query = { env, area, team };
  const whole = { ...query, scorecard: metric.scorecard, metric: metric.metric };
  const ofMetric = former ? { ...whole, former_rules: true } : whole;
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const absent = useReading(
    "/apps",
    { ...query, missing: metric.id, limit: missing ? firstItems : 1 },
    { upTo: missing ? upTo : 1 },
  );
  const found = useReading("/scores", missing ? undefined : { ...ofMetric, below, sort: "score", limit: firstItems }, {
    upTo,
  });
  const byFormerRules = useReading("/scores", { ...whole, former_rules: true, limit: 1 }, { upTo: 1 })?.answer.value
    ?.total;
  const columns = useMemo(() => columnsOf(env), [env]);
  const absentColumns = useMemo(() => namesOf<Lists["/apps"]>(env), [env]);
  return (
    <>
      <Heading>
        {metric.title} <small>{metric.metric}</small>
      </Heading>
      <p class="soft">
        {metric.scorecard}, weight {metric.weight}
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
        <optgroup key={name} label={name}>
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

function columnsOf(env: string): readonly Column<Lists["/scores"]>[] {
  const [name, ...above] = namesOf<Lists["/scores"]>(env);
  return [
    name,
    resultColumn(),
    { ...stateColumn(), isWide: true },
    ageColumn(),
    ...above,
    { id: "scorer", head: "Computed by", kind: "text", isWide: true, value: ({ scorer }) => scorer },
  ];
}
