import type { Area } from "@maturity/client";
import type { FunctionComponent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { chosenEnvironment, useAreas } from "./data/environments.ts";
import { useReading } from "./data/reading.ts";
import { isStarting } from "./data/start.ts";
import { Header } from "./parts/header.tsx";
import { Heading } from "./parts/heading.tsx";
import { Keys } from "./parts/keys.tsx";
import { PaperHead } from "./parts/paper.tsx";
import { partOf } from "./parts/part.tsx";
import { Read } from "./parts/states.tsx";
import { change, place, type View, viewOf } from "./place.ts";
import { ApplicationScreen } from "./screens/application.tsx";
import { EmptyScreen } from "./screens/empty.tsx";
import { OrganisationScreen } from "./screens/organisation.tsx";
import { TeamScreen } from "./screens/team.tsx";
import { AskDialog } from "./waivers/ask-dialog.tsx";
import { useWaiting } from "./waivers/waiver-views.tsx";

interface ScreenProps {
  readonly env: string;
  /** The areas in all environments. */
  readonly areas: readonly Area[];
}

const waivers = () => import("./waivers/part.ts");
const campaigns = () => import("./campaigns/part.ts");
const lists = () => import("./lists/part.ts");

const YoursScreen = partOf(async () => (await waivers()).YoursScreen);

const screens: Readonly<Record<View, FunctionComponent<ScreenProps>>> = {
  yours: YoursScreen,
  organisation: OrganisationScreen,
  team: TeamScreen,
  application: ApplicationScreen,
  teams: OrganisationScreen,
  applications: partOf(async () => (await lists()).ApplicationsScreen),
  levels: partOf(async () => (await lists()).LevelsScreen),
  compare: partOf(async () => (await lists()).CompareScreen),
  metric: partOf(async () => (await import("./metrics/part.ts")).MetricsScreen),
  stale: partOf(async () => (await lists()).StaleScreen),
  changes: partOf(async () => (await import("./changes/part.ts")).ChangesScreen),
  problems: partOf(async () => (await import("./problems/part.ts")).ProblemsScreen),
  waivers: partOf(async () => (await waivers()).WaiversScreen),
  waiting: partOf(async () => (await waivers()).WaitingScreen),
  asked: partOf(async () => (await waivers()).AskedScreen),
  sheet: partOf(async () => (await import("./time/part.ts")).SheetScreen),
  happened: partOf(async () => (await import("./changes/part.ts")).HappenedScreen),
  campaigns: partOf(async () => (await campaigns()).CampaignsScreen),
  campaign: partOf(async () => (await campaigns()).CampaignScreen),
};

export function App() {
  const areas = useAreas();
  const known = areas?.answer.value?.items;
  const hasNoScore = known?.length === 0;
  const reported = useReading("/apps", hasNoScore ? { reported: true, limit: 1 } : undefined, { upTo: 1 });
  const unscored = hasNoScore ? reported?.answer.value?.items[0] : undefined;
  const env = chosenEnvironment(known) ?? unscored?.env ?? undefined;
  const isChosen = place.value.env !== undefined;
  useEffect(() => {
    // A link that is sent shows another the same.
    if (env !== undefined && !isChosen) change({ env }, { replace: true });
  }, [env, isChosen]);

  const view = viewOf(place.value);
  const Screen = screens[view];
  const isSignedOut = areas?.failure.value?.status === 401;
  const main = useRef<HTMLElement>(null);
  const waiting = useWaiting();
  useTitle(main, waiting);

  return (
    <>
      <a class="skip" href="#main">
        Skip to the scores
      </a>
      <Header areas={known ?? []} env={env} isSignedOut={isSignedOut} waiting={waiting} />
      <main id="main" ref={main} tabIndex={-1}>
        <PaperHead env={env} />
        {isStarting.value ? (
          <Read reading={undefined}>{() => null}</Read>
        ) : view === "yours" && !isSignedOut ? (
          <YoursScreen env={env} />
        ) : env === undefined || isSignedOut || (hasNoScore && !unscored) ? (
          <>
            {!isSignedOut && areas?.failure.value && <Heading>Organisation</Heading>}
            <Read reading={areas}>{() => <Read reading={reported}>{() => <EmptyScreen />}</Read>}</Read>
          </>
        ) : (
          <Screen key={view} env={env} areas={known ?? []} />
        )}
      </main>
      <Keys />
      <AskDialog />
    </>
  );
}

/** Where the name of a view does not say it. */
const titles: Partial<Record<View, string>> = {
  waiting: "waits for me",
  asked: "what I asked for",
  happened: "what happened",
};

/**
 * Names the window after the place, and begins to read at its heading whenever it is another one. Who chooses an environment or
 * a metric stays at that choice.
 */
function useTitle(main: { readonly current: HTMLElement | null }, waiting: number): void {
  const { area, team, app, metric, env } = place.value;
  const names = [metric, app, team, area].filter((name) => name !== undefined);
  const view = viewOf(place.value);
  const title = [...(names.length > 0 ? names : [titles[view] ?? view]), env, "Maturity"].filter(Boolean).join(" · ");
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
  }, [title, waiting]);
  useEffect(() => {
    const isChoosing = document.activeElement?.matches("select, .segments a");
    if (!isFirst.current && !isChoosing) main.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    isFirst.current = env === undefined;
  }, [title, view]);
}
