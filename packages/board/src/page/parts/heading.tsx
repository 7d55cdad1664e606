import type { ComponentChildren } from "preact";
import { hrefOf, type Place, place } from "../place.ts";

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
    </div>
  );
}

const filters = ["area", "team", "severity", "state", "type", "below"] as const;

/** Those whose values all stand beside each other, to be chosen from. */
const toggled: readonly string[] = ["severity", "state"];

/** What narrows a list, each to be taken away. */
export function Chips({ children }: { readonly children?: ComponentChildren }) {
  const given = filters.filter((name) => place.value[name] !== undefined && !toggled.includes(name));
  if (!children && given.length === 0) return null;
  return (
    <div class="chips">
      {children}
      {given.map((name) => (
        <a
          key={name}
          class="chip"
          href={hrefOf({ ...place.value, [name]: undefined, ...(name === "area" && { team: undefined }) })}
        >
          {name} <bdi>{place.value[name]}</bdi>
          <span aria-hidden="true"> ×</span>
          <span class="sr">: clear</span>
        </a>
      ))}
    </div>
  );
}

/** The values of a filter, of which one may be chosen. */
export function Toggles({ name, values }: { readonly name: "severity" | "state"; readonly values: readonly string[] }) {
  const chosen = place.value[name];
  return (
    <>
      {values.map((value) => (
        <a
          key={value}
          class="chip"
          href={hrefOf({ ...place.value, [name]: value === chosen ? undefined : value })}
          aria-current={value === chosen ? "true" : undefined}
        >
          {value}
        </a>
      ))}
    </>
  );
}

/** A list that is empty because of what narrows it. */
export function NothingMatches({ what, env }: { readonly what: string; readonly env: string }) {
  const given = filters.flatMap((name) =>
    place.value[name] === undefined ? [] : [[name, place.value[name]] as const],
  );
  return (
    <section class="notice">
      <h2>Nothing here</h2>
      <p>
        {what} in <bdi>{env}</bdi>
        {given.map(([name, value], index) => (
          <span key={name}>
            {index === 0 ? " with " : ", "}
            {name} <b dir="auto">{value}</b>
          </span>
        ))}
        .
      </p>
      {given.length > 0 && (
        <p>
          <a href={hrefOf({ view: place.value.view, metric: place.value.metric, env })}>Clear the filters</a>
        </p>
      )}
    </section>
  );
}
