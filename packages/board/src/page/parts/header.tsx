import type { Area } from "@maturity/client";
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { environmentsOf } from "../data/environments.ts";
import { standing } from "../data/refresh.ts";
import { closeSession, session } from "../data/session.ts";
import { clock, count } from "../format.ts";
import { change, hrefOf, place, viewOf } from "../place.ts";
import { Search } from "./search.tsx";

/**
 * @param isSignedOut signing in comes first: there is nothing to search, and nowhere to go
 * @param waiting how many requests wait for the reader
 */
export function Header({
  areas,
  env,
  isSignedOut,
  waiting,
}: {
  readonly areas: readonly Area[];
  readonly env: string | undefined;
  readonly isSignedOut: boolean;
  readonly waiting: number;
}) {
  if (isSignedOut) {
    return (
      <header>
        <span class="brand">Maturity</span>
      </header>
    );
  }
  return (
    <header>
      <a class="brand" href={hrefOf({ env })}>
        Maturity
      </a>
      <Environments names={environmentsOf(areas)} chosen={env} />
      <Search env={env} />
      <Standing />
      {session.value && <Reader name={session.value.name} env={env} />}
      <Views env={env} waiting={waiting} />
    </header>
  );
}

function Reader({ name, env }: { readonly name: string; readonly env: string | undefined }) {
  const failure = useSignal("");
  const signOut = () =>
    closeSession().catch((error: Error) => {
      failure.value = error.message;
    });
  return (
    <>
      <a class="reader" href={hrefOf({ view: "yours", env })} title="What you may see, and why">
        <span class="sr">Signed in as </span>
        <bdi>{name}</bdi>
      </a>
      <button type="button" class="plain" onClick={signOut}>
        Sign out
      </button>
      <span role="alert" class="down">
        {failure.value && `Not signed out: ${failure.value}`}
      </span>
    </>
  );
}

/** As many stand side by side; more are a list to choose from. */
const sideBySide = 4;

function Environments({ names, chosen }: { readonly names: readonly string[]; readonly chosen: string | undefined }) {
  const all = chosen === undefined || names.includes(chosen) ? names : [...names, chosen];
  if (all.length === 0) return null;
  if (all.length > sideBySide) {
    return (
      <select
        aria-label="Environment"
        value={chosen}
        onChange={({ currentTarget }) => change({ env: currentTarget.value })}
      >
        {all.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    );
  }
  return (
    <nav class="segments" aria-label="Environment">
      {all.map((name) => (
        <a key={name} href={hrefOf({ ...place.value, env: name })} aria-current={name === chosen ? "true" : undefined}>
          <bdi>{name}</bdi>
        </a>
      ))}
    </nav>
  );
}

interface Tab {
  readonly name: string;
  readonly href: string;
  readonly isHere: boolean;
  /** How many items it has, where that is said. */
  readonly of?: number;
}

function Views({ env, waiting }: { readonly env: string | undefined; readonly waiting: number }) {
  const { area, team } = place.value;
  const view = viewOf(place.value);
  const views: readonly Tab[] = [
    {
      name: "Organisation",
      href: hrefOf({ env }),
      isHere: ["organisation", "team", "application", "sheet"].includes(view),
    },
    { name: "Teams", href: hrefOf({ view: "teams", env, area }), isHere: view === "teams" },
    {
      name: "Applications",
      href: hrefOf({ view: "applications", env, area, team }),
      isHere: view === "applications",
    },
    { name: "Levels", href: hrefOf({ view: "levels", env, area, team }), isHere: view === "levels" },
    { name: "Metrics", href: hrefOf({ view: "metric", env, area, team }), isHere: view === "metric" },
    { name: "Stale", href: hrefOf({ view: "stale", env, area, team }), isHere: view === "stale" },
    { name: "Changes", href: hrefOf({ view: "changes", env, area, team }), isHere: view === "changes" },
    { name: "Problems", href: hrefOf({ view: "problems", env, area, team }), isHere: view === "problems" },
    {
      name: "Waivers",
      href: hrefOf({ view: "waivers", env, area, team }),
      isHere: view === "waivers" || view === "asked",
    },
    {
      name: "Campaigns",
      href: hrefOf({ view: "campaigns", env }),
      isHere: view === "campaigns" || view === "campaign",
    },
    { name: "What happened", href: hrefOf({ view: "happened", env, area, team }), isHere: view === "happened" },
    ...(waiting > 0 || view === "waiting"
      ? [{ name: "Waits for me", href: hrefOf({ view: "waiting", env }), isHere: view === "waiting", of: waiting }]
      : []),
  ];
  const bar = useRef<HTMLElement>(null);
  // On a narrow page the bar moves sideways, and what is chosen must be in sight.
  useLayoutEffect(() => {
    const here = bar.current?.querySelector<HTMLElement>("[aria-current]");
    if (here && bar.current)
      bar.current.scrollLeft = here.offsetLeft - (bar.current.clientWidth - here.offsetWidth) / 2;
  }, [view]);
  return (
    <nav ref={bar} class="views" aria-label="Screens">
      {views.map(({ name, href, isHere, of }) => (
        <a key={name} href={href} aria-current={isHere ? "page" : undefined}>
          {name}
          {of !== undefined && <span class="tag soon">{count(of)}</span>}
        </a>
      ))}
    </nav>
  );
}

/** Of when the figures are. Only trouble is read aloud, not every refresh. */
function Standing() {
  const { at, retrying } = standing.value;
  return (
    <p class="standing">
      {at !== undefined && <span>as of {clock(at)}</span>}
      <span role="status" class="down">
        {retrying ? (at === undefined ? "no answer, retrying" : ", retrying") : ""}
      </span>
    </p>
  );
}
