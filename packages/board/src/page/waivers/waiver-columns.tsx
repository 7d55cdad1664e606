import type { Scorecard, Waiver } from "@maturity/client";
import type { ComponentChildren } from "preact";
import { metricTitle, titleOf } from "../data/scorecards.ts";
import { ago, ahead, date } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { breakable } from "../parts/grid.tsx";
import { hrefOf } from "../place.ts";
import { latestOf } from "./became.ts";
import { subjectText } from "./words.ts";

const soonDays = 14;
const day = 86_400_000;

/**
 * What a waiver covers, its reason, its owner and its end; its state where not all of them are in force.
 *
 * @param isNarrow whether reason and owner stand in other columns, because they have no room of their own
 */
export function waiverColumns(
  env: string,
  isOfEnvironments: boolean,
  isOfStates: boolean,
  isNarrow: boolean,
  scorecards: readonly Scorecard[],
): readonly Column<Waiver>[] {
  return [
    {
      id: "of",
      head: "Covers",
      kind: "name",
      value: ({ area, team, app }) => [area, team, app].filter(Boolean).join(" / "),
      show: (waiver) => <Covered waiver={waiver} isNarrow={isNarrow} />,
      href: ({ area, team, app, env: own }) =>
        hrefOf({ env: own ?? env, area, team: team ?? undefined, app: app ?? undefined }),
    },
    {
      id: "what",
      head: "Waives",
      kind: "text",
      value: (waiver) => subjectText(waiver, scorecards),
      show: (waiver) => <What waiver={waiver} isNarrow={isNarrow} scorecards={scorecards} />,
      href: (waiver) => hrefOfWhat(waiver, env),
    },
    // Rare, so it takes no room before there is one.
    ...(isOfEnvironments ? [onlyIn] : []),
    ...(isOfStates ? [stateColumn] : []),
    { id: "reason", head: "Reason", kind: "long", isMinor: true, value: ({ reason }) => reason },
    {
      id: "owner",
      head: "Owner",
      title: "Who answers for it",
      kind: "text",
      isMinor: true,
      value: ({ owner }) => owner,
      show: ({ owner, kind }) => (
        <>
          <bdi title={owner}>{owner}</bdi>
          <small>{kindOf[kind]}</small>
        </>
      ),
    },
    {
      id: "given",
      head: "Given by",
      title: "Who decided; of a request that nobody has approved, its state says who asked",
      kind: "text",
      isMinor: true,
      value: givenBy,
    },
    {
      id: "ends",
      head: "Ends",
      title: `What ends within ${soonDays} days is marked`,
      kind: "time",
      rank: endRank,
      value: ({ expires_at, revoked_at }) => revoked_at ?? expires_at ?? undefined,
      show: (waiver) => <End waiver={waiver} />,
    },
  ];
}

const onlyIn: Column<Waiver> = {
  ...{ id: "env", head: "Only in", kind: "word", isMinor: true, value: (waiver) => waiver.env ?? undefined },
};

const stateColumn: Column<Waiver> = {
  ...{ id: "state", head: "State", kind: "word", width: 96, isMinor: true, value: ({ state }) => state },
  show: (waiver) => {
    const { by, comment } = latestOf(waiver);
    const person = by ?? (waiver.state === "expired" ? null : waiver.requested_by);
    return <span title={[person && `by ${person}`, comment].filter(Boolean).join(": ")}>{waiver.state}</span>;
  },
};

/** In the order of their ends; those that are not in force come after the others, the latest first. */
function endRank({ state, requested_at, expires_at, revoked_at }: Waiver): number {
  const end = Date.parse(notGiven.has(state) ? requested_at : (revoked_at ?? expires_at ?? ""));
  const now = Date.now();
  if (Number.isNaN(end)) return Number.MAX_SAFE_INTEGER / 2;
  return end > now ? end : Number.MAX_SAFE_INTEGER - end;
}

/** The states of a request that nobody has approved. */
const notGiven: ReadonlySet<Waiver["state"]> = new Set(["requested", "rejected", "withdrawn"]);

function givenBy({ state, decided_by, requested_by }: Waiver): string | undefined {
  return notGiven.has(state) ? undefined : (decided_by ?? requested_by);
}

/** What stands below where there is no column for it. */
function byWhom(waiver: Waiver): ComponentChildren {
  const given = givenBy(waiver);
  return given === undefined ? <>asked by {breakable(waiver.requested_by)}</> : <>by {breakable(given)}</>;
}

const kindOf = { accepted: "accepted", not_applicable: "does not apply" } as const;

interface Shown {
  readonly waiver: Waiver;
  readonly isNarrow: boolean;
}

function Covered({ waiver: { area, team, app, reason }, isNarrow }: Shown) {
  const names = [area, team, app].filter((name) => name !== null);
  const above = names.slice(0, -1);
  return (
    <>
      <bdi>{breakable(names.at(-1) ?? "")}</bdi>
      <small>
        {above.length === 0
          ? "the whole area"
          : above.map((name, index) => (
              <span key={index}>
                {index > 0 && " / "}
                <bdi>{name}</bdi>
              </span>
            ))}
      </small>
      {isNarrow && (
        <small class="below">
          <bdi title={reason}>{reason}</bdi>
        </small>
      )}
    </>
  );
}

function What({ waiver, isNarrow, scorecards }: Shown & { readonly scorecards: readonly Scorecard[] }) {
  const { scorecard, metric, problem_type, owner } = waiver;
  const title = titleOf(scorecards, scorecard);
  const subject = problem_type ?? (scorecard && metric ? metricTitle(scorecards, scorecard, metric) : title);
  return (
    <>
      <bdi>{breakable(subject)}</bdi>
      <small>{problem_type !== null ? "problem" : metric !== null ? title : "the whole scorecard"}</small>
      {isNarrow && (
        <small class="below">
          <bdi>{owner}</bdi>
          <bdi>{byWhom(waiver)}</bdi>
        </small>
      )}
    </>
  );
}

function hrefOfWhat({ area, team, app, env: own, scorecard, metric, problem_type }: Waiver, env: string): string {
  const of = { env: own ?? env, area, team: team ?? undefined };
  if (problem_type !== null) return hrefOf({ view: "problems", ...of, type: problem_type });
  if (metric !== null) return hrefOf({ view: "metric", ...of, metric: `${scorecard}.${metric}` });
  return hrefOf(app === null ? { view: "applications", ...of } : { ...of, app });
}

function End({ waiver: { state, expires_at, revoked_at, revoked_by } }: { readonly waiver: Waiver }) {
  const now = Date.now();
  if (state === "requested" || state === "rejected" || state === "withdrawn") {
    return <Idle text={state} note="not in force" />;
  }
  if (revoked_at !== null)
    return <Idle text="revoked" note={date(revoked_at)} title={revoked_by && `by ${revoked_by}`} />;
  if (expires_at === null) return <Idle text="no end" />;
  const left = Date.parse(expires_at) - now;
  if (left <= 0) return <Idle text="ended" note={date(expires_at)} title={ago(expires_at, now)} />;
  return (
    <>
      <time dateTime={expires_at} title={expires_at} class={left < soonDays * day ? "tag soon" : undefined}>
        {ahead(expires_at, now)}
      </time>
      <small>{date(expires_at)}</small>
    </>
  );
}

function Idle({
  text,
  note,
  title,
}: {
  readonly text: string;
  readonly note?: string;
  readonly title?: string | null;
}) {
  return (
    <span class="soft" title={title ?? undefined}>
      {text}
      {note && <small>{note}</small>}
    </span>
  );
}
