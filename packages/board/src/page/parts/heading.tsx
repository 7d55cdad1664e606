import type { ComponentChildren } from "preact";
import { titleOf, useScorecards } from "../data/scorecards.ts";
import { count, dayOf } from "../format.ts";
import { hrefOf, type Place, place } from "../place.ts";
import { Formerly } from "./formerly.tsx";

/** The heading of a screen, with the way back above it. */
export function Heading({
  trail = [],
  children,
}: {
  readonly trail?: readonly { readonly name: string; readonly to: Place }[];
  readonly children: ComponentChildren;
}) {
  return (
    <div class="heading">
      {trail.length > 0 && (
        <nav class="trail" aria-label="Above this">
          {trail.map(({ name, to }) => (
            <a key={hrefOf(to)} href={hrefOf(to)}>
              <bdi>{name}</bdi>
            </a>
          ))}
        </nav>
      )}
      <h1 tabIndex={-1}>{children}</h1>
      <Formerly />
    </div>
  );
}

const filters = [
  ...(["area", "team", "app", "severity", "state", "level", "reach", "never", "owner", "tier", "label"] as const),
  ...(["type", "waives", "below", "kind", "who", "ends"] as const),
] as const;

/** Those whose values all stand beside each other, to be chosen from. */
const toggled: readonly string[] = ["severity", "state", "level", "reach", "kind", "ends"];

/** What a filter is called, where its name in the address does not say it. */
const words: { readonly [Name in (typeof filters)[number]]?: string } = {
  ...{ reach: "below level", never: "never reported", ends: "ends before" },
};

/** What goes with the name of an area or of a team. */
const without: { readonly [Name in (typeof filters)[number]]?: Place } = {
  area: { team: undefined, app: undefined },
  team: { app: undefined },
} as Readonly<Record<string, object>>;

/** What narrows a list, each to be taken away. */
export function Chips({ children }: { readonly children?: ComponentChildren }) {
  const given = filters.filter((name) => place.value[name] !== undefined && !toggled.includes(name));
  if (!children && given.length === 0) return null;
  return (
    <div class="chips">
      {children}
      {given.map((name) => (
        <a key={name} class="chip" href={hrefOf({ ...place.value, [name]: undefined, ...without[name] })}>
          {words[name] ?? name} <bdi>{name === "never" ? <Title of={place.value.never} /> : place.value[name]}</bdi>
          <span aria-hidden="true"> ×</span>
          <span class="sr">: clear</span>
        </a>
      ))}
    </div>
  );
}

/** What a scorecard is called. */
function Title({ of }: { readonly of: string | undefined }) {
  return <>{titleOf(useScorecards(), of)}</>;
}

/** The values of a filter, of which one may be chosen. */
export function Toggles({
  name,
  values,
  say = (value) => value,
  of,
}: {
  readonly name: "severity" | "state" | "level" | "reach" | "kind";
  readonly values: readonly string[];
  /** What stands for a value; the value itself without it. */
  readonly say?: (value: string) => string;
  /** How many items have each value. */
  readonly of?: ReadonlyMap<string, number>;
}) {
  const chosen = place.value[name];
  return (
    <>
      {values.map((value) => (
        <a
          key={value}
          class="chip choice"
          href={hrefOf({ ...place.value, [name]: value === chosen ? undefined : value })}
          aria-current={value === chosen ? "true" : undefined}
        >
          <bdi>{say(value)}</bdi>
          {of && <span class="of">{count(of.get(value) ?? 0)}</span>}
        </a>
      ))}
    </>
  );
}

/** A filter that is on or off. */
export function Switch({
  name,
  children,
}: {
  readonly name: "missing" | "silent" | "ended" | "former" | "small";
  readonly children: ComponentChildren;
}) {
  const isOn = place.value[name] !== undefined;
  return (
    <a
      class="chip choice"
      href={hrefOf({ ...place.value, [name]: isOn ? undefined : "1", sort: undefined })}
      aria-current={isOn ? "true" : undefined}
    >
      {children}
    </a>
  );
}

/** A list that is empty because of what narrows it. */
export function NothingMatches({
  what,
  env,
  children,
}: {
  readonly what: string;
  /** Undefined where it is about all environments. */
  readonly env: string | undefined;
  readonly children?: ComponentChildren;
}) {
  const given = filters.filter((name) => place.value[name] !== undefined);
  return (
    <section class="notice">
      <h2>Nothing here</h2>
      <p>
        {what}
        {env !== undefined && (
          <>
            {" "}
            in <bdi>{env}</bdi>
          </>
        )}
        {given.map((name, index) => (
          <span key={name}>
            {index === 0 ? ": " : ", "}
            {words[name] ?? name}{" "}
            <b dir="auto">{name === "ends" ? dayOf(place.value.ends ?? "") : place.value[name]}</b>
          </span>
        ))}
        .
      </p>
      {children}
      {given.length > 0 && (
        <p>
          <Unfiltered />
        </p>
      )}
    </section>
  );
}

/** Leads to the screen without what narrows it. */
export function Unfiltered() {
  const { view, metric, env, campaign, by } = place.value;
  return (
    <a href={hrefOf({ view, metric, env, campaign, by })}>{view ? "Clear the filters" : "Back to the organisation"}</a>
  );
}
