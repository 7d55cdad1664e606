import type { Area, Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { count } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Switch } from "../parts/heading.tsx";
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
  useScorecardNames,
} from "./columns.tsx";
import { LevelFilter } from "./level-filter.tsx";

type App = Lists["/apps"];

/** All applications, or those of an area or a team, by their scorecards; or those that never reported. */
export function ApplicationsScreen({ env, areas }: { readonly env: string; readonly areas: readonly Area[] }) {
  const { area, team, below, level, silent, all } = place.value;
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const reported = { env, area, team, below, level, limit: firstItems };
  const apps = useReading("/apps", silent ? undefined : reported, { upTo });
  const never = useReading(
    "/apps",
    { area, team, reported: false, limit: silent ? firstItems : 1 },
    { upTo: silent ? upTo : 1 },
  );
  const teams = useReading("/teams", team === undefined ? undefined : { env, area, team })?.answer.value?.items ?? [];
  const areasHere = areas.filter((one) => one.env === env && (area ?? one.area) === one.area);
  const groups = team === undefined ? areasHere : teams;
  const scorecards = useScorecardNames();
  const items = apps?.answer.value?.items;
  const isCompared = items?.some(({ change }) => change !== undefined) ?? false;
  const isLevelled = items?.some(({ level }) => level !== null) ?? false;
  const columns = useMemo(
    () => (silent ? silentColumns(env) : columnsOf(env, scorecards, isCompared, isLevelled)),
    [env, scorecards, isCompared, isLevelled, silent],
  );
  const silentCount = never?.answer.value?.total ?? 0;
  return (
    <ListScreen
      title="Applications"
      chips={
        <>
          {!silent && <LevelFilter groups={groups} />}
          {(silent || silentCount > 0) && <Switch name="silent">never reported: {count(silentCount)}</Switch>}
        </>
      }
      reading={silent ? never : apps}
      nothing={silent ? "Every registered application has reported" : "No application has reported"}
      env={silent ? undefined : env}
      of="application"
      label={silent ? "Applications that never reported" : "Applications"}
      columns={columns}
      order={silent ? "name" : "score"}
      after={!silent && <Legend />}
    />
  );
}

function columnsOf(
  env: string,
  scorecards: readonly string[],
  isCompared: boolean,
  isLevelled: boolean,
): readonly Column<App>[] {
  const [name, ...above] = namesOf<App>(env);
  return [
    name,
    scoreColumn(),
    ...(isLevelled ? [{ ...levelColumn<App>(), isWide: true }] : []),
    ...(isCompared ? [changeColumn<App>()] : []),
    ...scorecardColumns<App>(scorecards),
    freshColumn(),
    ...above,
    criticalColumn(),
  ];
}

/** What is known of applications that are only registered. */
function silentColumns(env: string): readonly Column<App>[] {
  return [
    ...namesOf<App>(env),
    { id: "owner", head: "Owner", kind: "text", isWide: true, value: ({ owner }) => owner ?? undefined },
    { id: "tier", head: "Tier", kind: "word", isWide: true, value: ({ tier }) => tier ?? undefined },
  ];
}
