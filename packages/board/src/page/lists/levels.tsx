import type { Area, Lists, Team } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, type Reading, useReading } from "../data/reading.ts";
import { count, plural } from "../format.ts";
import { PartNote } from "../parts/bounds.tsx";
import type { Column } from "../parts/column.ts";
import { Elsewhere } from "../parts/elsewhere.tsx";
import { Chips, Heading } from "../parts/heading.tsx";
import { levelsText } from "../parts/level.tsx";
import { Listing } from "../parts/listing.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { Notice, Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { levelColumn, levelsColumn, namesOf, scoreColumn } from "../screens/columns.tsx";
import { BelowLevels } from "./below-levels.tsx";
import { conditionsColumn, lacksColumn } from "./lacks-columns.tsx";

type Level = Lists["/levels"];
type App = Lists["/apps"];

/** Three lines of what is missing. */
const narrowRowHeight = 62;
/** Four lines of how many applications have which level. */
const levelsRowHeight = 84;
type Group = Team | (Area & { readonly team?: undefined });

/** The levels with how many applications have them, by area or team; or what is nearest to one of them. */
export function LevelsScreen({ env }: { readonly env: string }) {
  const { area, team, reach } = place.value;
  const levels = useReading("/levels", { env, area, team });
  return (
    <>
      <Heading trail={reach === undefined ? [] : [{ name: "Levels", to: placeOfLevels(env) }]}>
        {reach === undefined ? "Levels" : <>Below {<bdi>{reach}</bdi>}</>}
      </Heading>
      <Chips>
        <BelowLevels env={env} />
      </Chips>
      <PartNote />
      <Read reading={levels}>
        {({ items }) => {
          if (items.length === 0) {
            return <Elsewhere what="The policy has no levels, or no application has a score" env={env} />;
          }
          return reach === undefined ? <Levels env={env} levels={items} /> : <Nearest env={env} levels={items} />;
        }}
      </Read>
    </>
  );
}

function placeOfLevels(env: string) {
  const { area, team } = place.value;
  return { view: "levels", env, ...(area && { area }), ...(team && { team }) };
}

function nameOf({ name }: Pick<Level, "name">): string {
  return name ?? "no level";
}

function Levels({ env, levels }: { readonly env: string; readonly levels: readonly Level[] }) {
  const { area, team, all } = place.value;
  const isOfTeams = area !== undefined || team !== undefined;
  const groups = useReading<"/areas" | "/teams">(
    isOfTeams ? "/teams" : "/areas",
    { env, area, team, limit: firstItems },
    { upTo: all ? Number.POSITIVE_INFINITY : firstItems },
  );
  const isNarrow = useNarrow();
  const columns = useMemo(() => groupColumns(env, levels, isOfTeams, isNarrow), [env, levels, isOfTeams, isNarrow]);
  return (
    <>
      <table class="standings">
        <caption class="sr">Levels, the highest first, with their conditions</caption>
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col" class="number">
              Applications
            </th>
            <th scope="col" class="number">
              Below
            </th>
            <th scope="col">Needs, with all that the levels below it need</th>
          </tr>
        </thead>
        <tbody>
          {levels.toReversed().map((level) => (
            <tr key={level.rank}>
              <th scope="row">
                <bdi>{nameOf(level)}</bdi>
              </th>
              <td class="number">
                <a href={hrefOf({ view: "applications", env, area, team, level: level.name ?? "none" })}>
                  {count(level.count)}
                </a>
              </td>
              <td class="number">
                {level.name !== null && (
                  <a href={hrefOf({ view: "levels", env, area, team, reach: level.name })}>{count(level.below)}</a>
                )}
              </td>
              <td>{level.conditions.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Listing<Group>
        reading={groups as Reading<Group> | undefined}
        nothing="No application has reported"
        env={env}
        of={isOfTeams ? "team" : "area"}
        label={isOfTeams ? "Teams by level" : "Areas by level"}
        columns={columns}
        order="score"
        {...(isNarrow && { rowHeight: levelsRowHeight })}
      />
    </>
  );
}

/** How many applications of an area or a team have which level. */
function groupColumns(
  env: string,
  levels: readonly Level[],
  isOfTeams: boolean,
  isNarrow: boolean,
): readonly Column<Group>[] {
  const ofLevel = ({ levels }: Group, rank: number) => levels.find((one) => one.rank === rank)?.count ?? 0;
  return [
    {
      id: "name",
      head: isOfTeams ? "Team" : "Area",
      kind: "name",
      value: ({ area, team }) => team ?? area,
      href: ({ area, team }) => hrefOf({ view: "levels", env, area, team }),
    },
    { ...scoreColumn<Group>(), isMinor: true },
    {
      ...{ ...levelsColumn<Group>(), isMinor: false },
      ...(isNarrow && { kind: "text", show: ({ levels }) => <bdi class="lines">{levelsText(levels)}</bdi> }),
    },
    ...levels.toReversed().map(
      (level): Column<Group> => ({
        ...{ id: `level_${level.name ?? "none"}`, head: nameOf(level), kind: "number", isMinor: true, isDown: true },
        title: level.conditions.join(", "),
        value: (group) => ofLevel(group, level.rank),
        show: (group) => count(ofLevel(group, level.rank)),
        href: ({ area, team }) => hrefOf({ view: "applications", env, area, team, level: level.name ?? "none" }),
      }),
    ),
  ];
}

/** The applications below a level, the nearest first, with what they lack. */
function Nearest({ env, levels }: { readonly env: string; readonly levels: readonly Level[] }) {
  const { area, team, reach = "", all } = place.value;
  const level = levels.find(({ name }) => name === reach);
  const query = { env, area, team, below_level: reach, lacks: true, sort: "lacks", limit: firstItems };
  const apps = useReading("/apps", level && query, { upTo: all ? Number.POSITIVE_INFINITY : firstItems });
  const columns = useMemo(() => nearestColumns(env), [env]);
  const isNarrow = useNarrow();
  if (!level) {
    return (
      <Notice title="No such level">
        <p>
          There are {levels.flatMap(({ name }) => name ?? []).join(", ")}, and no <b dir="auto">{reach}</b>.
        </p>
      </Notice>
    );
  }
  return (
    <>
      <p class="soft">
        {plural(level.below, "application")} below <bdi>{level.name}</bdi>, which needs {level.conditions.join(", ")}{" "}
        and what the levels below it need. Those that lack least come first.
      </p>
      <Listing
        reading={apps}
        nothing={`No application is below ${reach}`}
        env={env}
        of="application"
        label="Applications, the nearest first"
        columns={columns}
        order="lacks"
        {...(isNarrow && { rowHeight: narrowRowHeight })}
        after={
          <p class="legend">
            Fewer missing conditions come first. What they lack is added up: the points of scores, the hundredths of
            shares, and open problems. A metric that was never reported lacks its whole score.
          </p>
        }
      />
    </>
  );
}

function nearestColumns(env: string): readonly Column<App>[] {
  const [name, ...above] = namesOf<App>(env);
  return [
    name,
    lacksColumn(),
    conditionsColumn(),
    { ...scoreColumn<App>(), isMinor: true },
    { ...levelColumn<App>(), isMinor: true },
    ...above,
  ];
}
