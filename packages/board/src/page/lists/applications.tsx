import type { Area, Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { useScorecards } from "../data/scorecards.ts";
import { count } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Switch, Toggles } from "../parts/heading.tsx";
import { Legend } from "../parts/legend.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { place } from "../place.ts";
import {
  changeColumn,
  criticalColumn,
  freshColumn,
  levelColumn,
  namesOf,
  scoreColumn,
  scorecardColumns,
} from "../screens/columns.tsx";
import { LevelFilter } from "../screens/level-filter.tsx";
import { AppFilters } from "./app-filters.tsx";
import { BelowLevels } from "./below-levels.tsx";
import { useJoined } from "./joined.ts";
import { lacksColumn } from "./lacks-columns.tsx";

type App = Lists["/apps"];

const states = ["fresh", "stale", "held"] as const;

/** All applications, or those of an area or a team, by their scorecards; or those that never reported. */
export function ApplicationsScreen({ env, areas }: { readonly env: string; readonly areas: readonly Area[] }) {
  const { area, team, below, level, reach, never, state, owner, tier, label, silent, all } = place.value;
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const registered = { owner, tier, label };
  const reported = { env, area, team, below, level, below_level: reach, missing: never, state, ...registered };
  const apps = useReading("/apps", silent ? undefined : { ...reported, lacks: true, limit: firstItems }, { upTo });
  // What never reported anything has no environment, and is among what never reported a scorecard.
  const isWhole = silent !== undefined || never !== undefined;
  const unreported = useReading(
    "/apps",
    {
      ...(never && !silent ? { ...reported, env: undefined, lacks: true } : { area, team, ...registered }),
      ...{ reported: false, limit: isWhole ? firstItems : 1 },
    },
    { upTo: isWhole ? upTo : 1 },
  );
  const both = useJoined(apps, unreported);
  const teams = useReading("/teams", team === undefined ? undefined : { env, area, team })?.answer.value?.items ?? [];
  const areasHere = areas.filter((one) => one.env === env && (area ?? one.area) === one.area);
  const groups = team === undefined ? areasHere : teams;
  const scorecards = useScorecards();
  const items = apps?.answer.value?.items;
  const isCompared = items?.some(({ change }) => change !== undefined) ?? false;
  const isLevelled = items?.some(({ level }) => level !== null) ?? false;
  const columns = useMemo(
    () => (silent ? silentColumns(env) : columnsOf(env, scorecards, isCompared, isLevelled, never !== undefined)),
    [env, scorecards, isCompared, isLevelled, silent, never],
  );
  // The counts of levels are of all applications.
  const isCounted = [below, never, state, owner, tier, label].every((filter) => filter === undefined);
  const isNarrowed = !isCounted || level !== undefined || reach !== undefined;
  const silentCount = unreported?.answer.value?.total ?? 0;
  const shown = silent ? unreported : never ? both : apps;
  return (
    <ListScreen
      title="Applications"
      chips={
        <>
          {!silent && <LevelFilter groups={groups} isCounted={isCounted} />}
          {!silent && <BelowLevels env={env} beside isCounted={isCounted} />}
          {!silent && <Toggles name="state" values={states} />}
          {(silent || silentCount > 0) && <Switch name="silent">never reported anything: {count(silentCount)}</Switch>}
          <AppFilters apps={shown?.answer.value?.items ?? []} />
        </>
      }
      reading={shown}
      nothing={
        silent
          ? "Every registered application has reported"
          : isNarrowed
            ? "No application"
            : "No application has reported"
      }
      env={silent ? undefined : env}
      of="application"
      label={silent ? "Applications that never reported" : "Applications"}
      columns={columns}
      {...(silent ? { order: "name", given: "area" } : { order: "score" })}
      after={!silent && <Legend />}
    />
  );
}

function columnsOf(
  env: string,
  scorecards: Parameters<typeof scorecardColumns>[0],
  isCompared: boolean,
  isLevelled: boolean,
  hasSilent: boolean,
): readonly Column<App>[] {
  const [name, ...above] = namesOf<App>(env);
  return [
    name,
    ...(hasSilent ? [stateOfApp] : []),
    scoreColumn(),
    ...(isLevelled ? [{ ...levelColumn<App>(), isMinor: true }, lacksColumn(env)] : []),
    ...(isCompared ? [changeColumn<App>()] : []),
    ...scorecardColumns<App>(scorecards),
    freshColumn(),
    // Leaves the room for names, which else break within a word.
    ...above.map((column) => ({ ...column, width: 124 })),
    criticalColumn(),
  ];
}

/** How the results of an application stand: `silent` without any. */
const stateOfApp: Column<App> = { id: "state", head: "Results", kind: "word", value: ({ state }) => state };

/** What is known of applications that are only registered. */
function silentColumns(env: string): readonly Column<App>[] {
  return [
    ...namesOf<App>(env),
    { id: "owner", head: "Owner", kind: "text", isMinor: true, value: ({ owner }) => owner ?? undefined },
    { id: "tier", head: "Tier", kind: "word", isMinor: true, value: ({ tier }) => tier ?? undefined },
  ];
}
