import type { Area, Team } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { useAreas } from "../data/environments.ts";
import { type Answer, firstItems, type Reading, useReading } from "../data/reading.ts";
import { count, percent, plural, points, tenths } from "../format.ts";
import { PartNote } from "../parts/bounds.tsx";
import type { Column } from "../parts/column.ts";
import { Elsewhere } from "../parts/elsewhere.tsx";
import { Chips, Heading } from "../parts/heading.tsx";
import { Legend } from "../parts/legend.tsx";
import { Listing } from "../parts/listing.tsx";
import { partOf } from "../parts/part.tsx";
import { ExemptFact, Fact, Facts, OpenFact, WaivedFact } from "../parts/score.tsx";
import { SheetLink } from "../parts/sheet-link.tsx";
import { hrefOf, place } from "../place.ts";
import { ChangeFact } from "../time/change-fact.tsx";
import { changeOfAll, underTrend, useDays } from "../time/days.ts";
import { Time } from "../time/time.tsx";
import {
  areaColumn,
  changeColumn,
  criticalColumn,
  freshColumn,
  levelsColumn,
  scoreColumn,
  scorecardColumns,
} from "./columns.tsx";
import { GroupFixFirst } from "./group-gains.tsx";
import { Held } from "./held.tsx";

/** Its file comes with the trend of the organisation. */
const NothingCounts = partOf(async () => (await import("../time/part.ts")).NothingCounts);

type Group = Team | (Area & { readonly team?: undefined });

/** What the list is of: the areas, the teams of one, or the teams of all. */
type Level = "areas" | "teams of an area" | "teams";

/** The areas or the teams, by their scorecards. */
export function OrganisationScreen({ env }: { readonly env: string }) {
  const { view, area, all } = place.value;
  const level: Level = view === "teams" ? "teams" : area === undefined ? "areas" : "teams of an area";
  const query = { env, area, limit: firstItems };
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const groups = useReading<"/areas" | "/teams">(level === "areas" ? "/areas" : "/teams", query, { upTo });
  const items: readonly Group[] = groups?.answer.value?.items ?? [];
  const areas = useAreas();
  const reported = new Set(items.flatMap((group) => group.scorecards.map(({ scorecard }) => scorecard)));
  const installed = useReading("/scorecards", {});
  const registered = installed?.answer.value?.items ?? [];
  // Whichever list comes first, the columns are there with the areas.
  const scorecards =
    registered.length > 0
      ? registered.filter(({ scorecard }) => reported.has(scorecard))
      : [...reported].map((scorecard) => ({ scorecard, title: scorecard }));
  const isCompared = items.some(({ change }) => change !== undefined);
  const isLevelled = items.some(({ levels }) => levels.length > 0);
  const columns = useMemo(
    () => columnsOf(scorecards, env, level, isCompared, isLevelled),
    [scorecards.map(({ title }) => title).join(), env, level, isCompared, isLevelled],
  );
  const own = useReading("/areas", level === "teams of an area" ? { env, area, detail: true } : undefined);
  const days = useDays(level === "teams" ? undefined : { area, env });
  const unreported = useReading("/apps", { area, reported: false, limit: 1 }, { upTo: 1 });
  const silent = unreported?.answer.value?.total ?? 0;
  const shown = underTrend(groups as Reading<Group> | undefined, days, [areas, installed, unreported, own]);
  return (
    <>
      <Heading trail={level === "teams of an area" ? [{ name: "Organisation", to: { env } }] : []}>
        {{ areas: "Organisation", teams: "Teams", "teams of an area": <bdi>{area}</bdi> }[level]}
      </Heading>
      {level === "teams" && <Chips />}
      <PartNote />
      <Listing<Group>
        reading={shown}
        nothing="No application has reported"
        empty={
          <Elsewhere what="No application has reported" env={env}>
            <NothingCounts env={env} silent={silent} />
          </Elsewhere>
        }
        env={env}
        before={() => (
          <>
            <Figures
              areas={areas?.answer.value}
              groups={groups?.answer.value}
              days={days}
              level={level}
              env={env}
              silent={silent}
            />
            <SheetLink />
            {level === "teams of an area" && <GroupFixFirst group={own?.answer.value?.items[0]} />}
            {level !== "teams" && <Time of={{ area, env }} days={days} />}
          </>
        )}
        of={level === "areas" ? "area" : "team"}
        hasFigures
        label={level === "areas" ? "Areas" : "Teams"}
        columns={columns}
        order="score"
        after={<Legend levels={isLevelled} />}
      />
      {shown?.answer.value && <Held />}
    </>
  );
}

function columnsOf(
  scorecards: Parameters<typeof scorecardColumns>[0],
  env: string,
  level: Level,
  isCompared: boolean,
  isLevelled: boolean,
): readonly Column<Group>[] {
  const isArea = level === "areas";
  return [
    {
      id: "name",
      head: isArea ? "Area" : "Team",
      kind: "name",
      value: ({ area, team }) => (isArea ? area : team),
      href: ({ area, team }) => hrefOf({ env, area, team }),
    },
    ...(level === "teams" ? [areaColumn<Group>(env)] : []),
    scoreColumn(),
    ...(isCompared ? [changeColumn<Group>()] : []),
    ...(isLevelled ? [levelsColumn<Group>()] : []),
    ...scorecardColumns<Group>(scorecards),
    freshColumn(),
    ...(isArea ? [counts("teams", "Teams", (group) => group.count)] : []),
    { ...counts("apps", "Apps", appsOf), width: 84, show: (group) => <Apps group={group} /> },
    {
      id: "lowest",
      head: isArea ? "Lowest team" : "Lowest app",
      title: `The lowest score that the average hides: of its ${isArea ? "teams" : "applications"}`,
      kind: "number",
      isMinor: true,
      value: ({ lowest }) => lowest,
      show: ({ lowest }) => tenths(lowest),
    },
    { ...criticalColumn(), isMinor: false },
  ];
}

/** A column of counts. */
function counts(id: string, head: string, value: (group: Group) => number): Column<Group> {
  return { id, head, kind: "number", isMinor: true, isDown: true, value, show: (group) => count(value(group)) };
}

/** How many applications have reported, and how many are registered and have not. */
function Apps({ group }: { readonly group: Group }) {
  const { unreported } = group;
  if (unreported === 0) return <>{count(appsOf(group))}</>;
  return (
    <span title={`${plural(unreported, "more is", "more are")} registered and never reported`}>
      {count(appsOf(group))} <span class="soft">+{count(unreported)}</span>
      <span class="sr"> that never reported</span>
    </span>
  );
}

/** What the areas say of all their teams, also while only some of these have been read. */
function Figures({
  areas,
  groups,
  days,
  level,
  env,
  silent,
}: {
  /** In all environments. */
  readonly areas: Answer<Area> | undefined;
  readonly groups: Answer<Group> | undefined;
  readonly days: ReturnType<typeof useDays>;
  readonly level: Level;
  readonly env: string;
  /** How many applications are registered and have never reported. */
  readonly silent: number;
}) {
  const { area } = place.value;
  // Areas without a score, which are not among these, have problems, too.
  const times = useReading("/problem-times", { env, area, by: "severity" })?.answer.value?.items;
  if (!areas) return null;
  const own = areas.items.filter((one) => one.env === env && (area ?? one.area) === one.area);
  if (own.length === 0 || areas.items.length < areas.total) return null;
  const kind = level === "areas" ? "area" : "team";
  const sum = (value: (area: Area) => number) => own.reduce((total, area) => total + value(area), 0);
  /** An area is the mean of its teams. */
  const weight = (area: Area) => (level === "areas" ? 1 : area.count);
  const all = sum(weight);
  const mean = (value: (area: Area) => number) => sum((area) => value(area) * weight(area)) / all;
  const thin = own.every((area) => area.thin) ? ", thin" : "";
  const isWhole = groups?.items.length === groups?.total;
  const changes = isWhole ? (groups?.items.flatMap(({ change }) => change ?? []) ?? []) : [];
  const score = mean((area) => area.score);
  const change = level === "areas" ? changeOfAll(days, score) : level === "teams" ? undefined : own[0]?.change;
  return (
    <Facts>
      <Fact label={`${all === 1 ? `score of 1 ${kind}` : `average of ${plural(all, kind)}`}${thin}`}>
        {points(score)}
      </Fact>
      <ChangeFact
        by={change}
        {...(level === "areas" && { areas: all, days })}
        to={hrefOf({ view: "changes", env, area })}
      />
      {changes.length > 1 && (
        <Fact label={<a href={hrefOf({ view: "changes", env, area, by: kind })}>{kind}s fell in 30 days</a>}>
          {count(changes.filter((change) => change < -0.05).length)}
        </Fact>
      )}
      <Fact label={<a href={hrefOf({ view: "stale", env, area })}>covered by fresh results</a>}>
        {percent(mean((area) => area.fresh))}
      </Fact>
      <WaivedFact share={mean(({ waived }) => waived)} to={hrefOf({ view: "waivers", env, area })} />
      <ExemptFact
        share={mean(({ exempt }) => exempt)}
        parts={own.map(({ area: name, exempt }) => `${name} ${percent(exempt)}`).join(", ")}
      />
      <Fact label={<a href={hrefOf({ view: "applications", env, area })}>applications</a>}>
        {count(sum(({ apps }) => apps))}
      </Fact>
      {silent > 0 && (
        <Fact label={<a href={hrefOf({ view: "applications", env, area, silent: "1" })}>never reported</a>}>
          {count(silent)}
        </Fact>
      )}
      {times &&
        (["critical", "high"] as const).map((severity) => (
          <OpenFact
            key={severity}
            severity={severity}
            problems={times.find((one) => one.severity === severity)?.open ?? 0}
            to={hrefOf({ view: "problems", env, area, severity })}
          />
        ))}
    </Facts>
  );
}

function appsOf(group: Group): number {
  return group.team === undefined ? group.apps : group.count;
}
