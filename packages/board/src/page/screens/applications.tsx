import { useMemo } from "preact/hooks";
import type { Lists } from "../data/lists.ts";
import { firstItems, useReading } from "../data/reading.ts";
import { Chips, Heading } from "../parts/heading.tsx";
import { Legend } from "../parts/legend.tsx";
import { Listing } from "../parts/listing.tsx";
import { place } from "../place.ts";
import {
  changeColumn,
  coverageColumn,
  criticalColumn,
  namesOf,
  scoreColumn,
  scorecardColumns,
  useScorecardNames,
} from "./columns.tsx";

/** All applications, or those of an area or a team, by their scorecards. */
export function ApplicationsScreen({ env }: { readonly env: string }) {
  const { area, team, below, all } = place.value;
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const apps = useReading("/apps", { env, area, team, below, limit: firstItems }, { upTo });
  const scorecards = useScorecardNames();
  const isCompared = apps?.answer.value?.items.some(({ change }) => change !== undefined) ?? false;
  const columns = useMemo(() => columnsOf(env, scorecards, isCompared), [env, scorecards, isCompared]);
  return (
    <>
      <Heading>Applications</Heading>
      <Chips />
      <Listing
        reading={apps}
        nothing="No application has reported"
        env={env}
        label="Applications"
        columns={columns}
        order="score"
        after={<Legend />}
      />
    </>
  );
}

function columnsOf(env: string, scorecards: readonly string[], isCompared: boolean) {
  const [name, ...above] = namesOf<Lists["/apps"]>(env);
  return [
    name,
    scoreColumn<Lists["/apps"]>(),
    ...(isCompared ? [changeColumn<Lists["/apps"]>()] : []),
    ...scorecardColumns<Lists["/apps"]>(scorecards),
    coverageColumn<Lists["/apps"]>(),
    ...above,
    criticalColumn<Lists["/apps"]>(),
  ];
}
