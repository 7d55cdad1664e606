import { useMemo } from "preact/hooks";
import type { Lists } from "../data/lists.ts";
import { firstItems, useReading } from "../data/reading.ts";
import { Grid } from "../parts/grid.tsx";
import { Chips, Heading, NothingMatches } from "../parts/heading.tsx";
import { Read } from "../parts/states.tsx";
import { place } from "../place.ts";
import { changeColumn, coverageColumn, criticalColumn, namesOf, scoreColumn, scorecardColumns } from "./columns.tsx";
import { Legend } from "./organisation.tsx";

/** All applications, or those of an area or a team, by their scorecards. */
export function ApplicationsScreen({ env }: { readonly env: string }) {
  const { area, team, below, all } = place.value;
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const registered = useReading("/scorecards", {})?.answer.value?.items;
  const apps = useReading("/apps", { env, area, team, below, limit: firstItems }, { upTo });
  const columns = useMemo(() => columnsOf(env, registered ?? []), [env, registered]);
  return (
    <>
      <Heading>Applications</Heading>
      <Chips />
      <Read reading={apps}>
        {({ items, total }) =>
          items.length === 0 ? (
            <NothingMatches what="No application has reported" env={env} />
          ) : (
            <>
              <Grid label="Applications" rows={items} total={total} columns={columns} order="score" />
              <Legend />
            </>
          )
        }
      </Read>
    </>
  );
}

function columnsOf(env: string, registered: readonly Lists["/scorecards"][]) {
  const [name, ...above] = namesOf<Lists["/apps"]>(env);
  return [
    ...(name ? [name] : []),
    scoreColumn<Lists["/apps"]>(),
    changeColumn<Lists["/apps"]>(),
    ...scorecardColumns<Lists["/apps"]>(registered.map(({ scorecard }) => scorecard)),
    coverageColumn<Lists["/apps"]>(),
    ...above,
    criticalColumn<Lists["/apps"]>(),
  ];
}
