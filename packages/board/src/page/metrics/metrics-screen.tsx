import { metricsOf } from "../data/metrics.ts";
import { useReading } from "../data/reading.ts";
import { PartNote } from "../parts/bounds.tsx";
import { Chips, Heading } from "../parts/heading.tsx";
import { Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { NoMetric, OfMetric } from "./metric.tsx";
import { Overview } from "./overview.tsx";
import { TeamsByMetric } from "./teams-by-metric.tsx";

/** All metrics, the teams by their metrics, or one metric. */
export function MetricsScreen({ env }: { readonly env: string }) {
  const scorecards = useReading("/scorecards", {});
  return (
    <Read reading={scorecards}>
      {({ items }) => {
        const metrics = metricsOf(items);
        const { metric: named, by } = place.value;
        if (named === undefined) {
          return (
            <>
              <Heading>Metrics</Heading>
              <Views env={env} />
              <Chips />
              <PartNote />
              {by === "team" ? <TeamsByMetric env={env} metrics={metrics} /> : <Overview env={env} metrics={metrics} />}
            </>
          );
        }
        const ofName = metrics.filter(({ metric }) => metric === named);
        const metric = metrics.find(({ id }) => id === named) ?? (ofName.length === 1 ? ofName[0] : undefined);
        return metric ? (
          <OfMetric env={env} metric={metric} metrics={metrics} />
        ) : (
          <NoMetric env={env} metrics={metrics} />
        );
      }}
    </Read>
  );
}

function Views({ env }: { readonly env: string }) {
  const { area, team, by } = place.value;
  const views = [
    { name: "All applications", by: undefined },
    { name: "Teams by metric", by: "team" },
  ];
  return (
    <nav class="chips" aria-label="Lists of metrics">
      {views.map((view) => (
        <a
          key={view.name}
          class="chip choice"
          href={hrefOf({ view: "metric", env, area, team, by: view.by })}
          aria-current={view.by === by ? "page" : undefined}
        >
          {view.name}
        </a>
      ))}
    </nav>
  );
}
