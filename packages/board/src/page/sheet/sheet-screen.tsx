import type { Area, Lists, Team } from "@maturity/client";
import { type Reading, useReading } from "../data/reading.ts";
import { standing } from "../data/refresh.ts";
import { age, count, moment, percent, plural, points } from "../format.ts";
import { PartNote } from "../parts/bounds.tsx";
import { CopyLink } from "../parts/copy.tsx";
import { Elsewhere } from "../parts/elsewhere.tsx";
import { Heading } from "../parts/heading.tsx";
import { levelsText } from "../parts/level.tsx";
import { Change, Fact, Facts, Heat, OpenFact, SeverityTag } from "../parts/score.tsx";
import { Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { GroupFixFirst } from "../screens/group-gains.tsx";
import { ChangeFact } from "../time/change-fact.tsx";
import { changeOfAll, underTrend, useDays } from "../time/days.ts";
import { TimeCard } from "../time/time-card.tsx";
import { OrganisationGains } from "./organisation-gains.tsx";

/** As many have room on one sheet of paper. */
const mostShown = 6;

/** The organisation, an area or a team on one sheet of paper: its score, trend, what to do first, problems and levels. */
export function SheetScreen({ env }: { readonly env: string }) {
  const { area } = place.value;
  // A team is known by its area.
  const team = area === undefined ? undefined : place.value.team;
  const key = { env, area, team };
  const groups = useReading<"/areas" | "/teams">(team === undefined ? "/areas" : "/teams", { ...key, detail: true });
  const problems = useReading("/problems", { ...key, sort: "severity", limit: mostShown }, { upTo: mostShown });
  const apps = useReading("/apps", { ...key, sort: "score", limit: mostShown }, { upTo: mostShown });
  const days = useDays(key);
  const averages = useReading("/metric-averages", area === undefined ? { env } : undefined);
  const scorecards = useReading("/scorecards", {});
  return (
    <div class="sheet">
      <Heading
        trail={[
          { name: "Organisation", to: { env } },
          ...(area === undefined ? [] : [{ name: area, to: { env, area } }]),
          ...(area === undefined || team === undefined ? [] : [{ name: team, to: { env, area, team } }]),
        ]}
      >
        <bdi>{team ?? area ?? "Organisation"}</bdi>
      </Heading>
      <p class="row">
        <span class="soft">
          {team !== undefined && (
            <>
              <bdi>{area}</bdi>,{" "}
            </>
          )}
          <bdi>{env}</bdi>
          {standing.value.at !== undefined && `, ${moment(standing.value.at)}`}
        </span>
        <CopyLink />
        <button type="button" onClick={() => print()}>
          Print
        </button>
      </p>
      {team === undefined && <PartNote />}
      <Read reading={underTrend(groups as Reading<Area | Team> | undefined, days, [averages, scorecards])} hasFigures>
        {({ items }) =>
          items[0] ? (
            <>
              {area === undefined ? <WholeFigures areas={items} days={days} /> : <Figures of={items[0]} />}
              <LevelsText groups={items} />
              <TimeCard of={key} days={days} />
              {area === undefined ? (
                <OrganisationGains
                  averages={averages?.answer.value?.items ?? []}
                  scorecards={scorecards?.answer.value?.items ?? []}
                  env={env}
                />
              ) : (
                <GroupFixFirst group={items[0]} />
              )}
              <div class="halves">
                <LowestApps apps={apps?.answer.value?.items ?? []} total={apps?.answer.value?.total ?? 0} />
                <OpenProblems
                  problems={problems?.answer.value?.items ?? []}
                  total={problems?.answer.value?.total ?? 0}
                  now={standing.value.at ?? Date.now()}
                  isOfTeam={team !== undefined}
                />
              </div>
            </>
          ) : (
            <Elsewhere what="No application has reported" env={env} />
          )
        }
      </Read>
    </div>
  );
}

function Figures({ of }: { readonly of: Team | Area }) {
  const kind = "team" in of ? "application" : "team";
  return (
    <Facts>
      <Fact label={`average of ${plural(of.count, kind)}${of.thin ? ", thin" : ""}`}>{points(of.score)}</Fact>
      <ChangeFact by={of.change} />
      <Fact label={`covered by fresh results, ${percent(of.reported)} reported`}>{percent(of.fresh)}</Fact>
      <Fact label={`lowest ${kind}`}>{points(of.lowest)}</Fact>
      <OpenFact severity="critical" problems={of.problems.critical} />
    </Facts>
  );
}

/** The plain average of the areas. */
function WholeFigures({
  areas,
  days,
}: {
  readonly areas: readonly (Team | Area)[];
  readonly days: ReturnType<typeof useDays>;
}) {
  const sum = (value: (area: Team | Area) => number) => areas.reduce((all, area) => all + value(area), 0);
  const mean = (value: (area: Team | Area) => number) => sum(value) / areas.length;
  const [lowest] = areas.toSorted((a, b) => a.score - b.score);
  const score = mean((area) => area.score);
  const change = changeOfAll(days, score);
  // Areas without a score have problems, too.
  const query = { env: areas[0]?.env, by: "severity", severity: "critical" } as const;
  const critical = useReading("/problem-times", query)?.answer.value?.items[0];
  return (
    <Facts>
      <Fact
        label={`${areas.length === 1 ? "score" : "average"} of ${plural(areas.length, "area")}${areas.every(({ thin }) => thin) ? ", thin" : ""}`}
      >
        {points(score)}
      </Fact>
      <ChangeFact by={change} areas={areas.length} days={days} />
      <Fact label={`covered by fresh results, ${percent(mean(({ reported }) => reported))} reported`}>
        {percent(mean(({ fresh }) => fresh))}
      </Fact>
      {areas.length > 1 && lowest && (
        <Fact
          label={
            <>
              lowest area, <bdi>{lowest.area}</bdi>
            </>
          }
        >
          {points(lowest.score)}
        </Fact>
      )}
      <OpenFact severity="critical" problems={critical?.open ?? sum(({ problems }) => problems.critical)} />
    </Facts>
  );
}

/** How many applications have which level, the lowest first as the service has them. */
function LevelsText({ groups }: { readonly groups: readonly (Team | Area)[] }) {
  const all = Map.groupBy(
    groups.flatMap(({ levels }) => levels),
    ({ rank }) => rank,
  );
  const levels = [...all]
    .sort(([a], [b]) => a - b)
    .map(([rank, same]) => ({
      ...{ rank, name: same[0]?.name ?? null, count: same.reduce((sum, { count }) => sum + count, 0) },
    }));
  if (levels.length === 0) return null;
  return (
    <p class="levels-text">
      Levels: <b>{levelsText(levels)}</b>
    </p>
  );
}

function LowestApps({ apps, total }: { readonly apps: readonly Lists["/apps"][]; readonly total: number }) {
  return (
    <section class="card" aria-labelledby="lowest">
      <h2 id="lowest">Lowest applications</h2>
      <ul>
        {apps.map(({ area, team, app, env, score, thin, change, level }) => (
          <li key={`${team}/${app}`}>
            <span class="by">
              <Heat score={score ?? undefined} isThin={thin} />
            </span>
            <a href={hrefOf({ env: env ?? undefined, area, team, app })}>
              <bdi>{app}</bdi>
            </a>{" "}
            <Change by={change} />
            {level && (
              <small>
                {level.name ?? "without a level"}
                {level.next && <>; {level.next.unmet}</>}
              </small>
            )}
          </li>
        ))}
      </ul>
      {total > apps.length && (
        <p class="soft">
          {count(apps.length)} of {count(total)}
        </p>
      )}
    </section>
  );
}

function OpenProblems({
  problems,
  total,
  now,
  isOfTeam,
}: {
  readonly problems: readonly Lists["/problems"][];
  readonly total: number;
  readonly now: number;
  readonly isOfTeam: boolean;
}) {
  return (
    <section class="card" aria-labelledby="open">
      <h2 id="open">Open problems</h2>
      {problems.length === 0 && <p class="soft">None.</p>}
      <ul>
        {problems.map(({ team, app, problem_type, severity, opened_at }) => (
          <li key={`${team}/${app}/${problem_type}`}>
            <span class="by">
              <SeverityTag severity={severity} />
            </span>
            <bdi>{problem_type}</bdi>
            <small>
              <bdi>{app}</bdi>
              {!isOfTeam && (
                <>
                  {" of "}
                  <bdi>{team}</bdi>
                </>
              )}
              {opened_at && `, open ${age(opened_at, now)}`}
            </small>
          </li>
        ))}
      </ul>
      {total > problems.length && (
        <p class="soft">
          {count(problems.length)} of {count(total)}
        </p>
      )}
    </section>
  );
}
