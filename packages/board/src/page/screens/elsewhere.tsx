import type { FormerName } from "@maturity/client";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useReading } from "../data/reading.ts";
import { goFrom } from "../parts/formerly.tsx";
import { NothingMatches } from "../parts/heading.tsx";
import { Read } from "../parts/states.tsx";
import { type Place, place } from "../place.ts";

/** In place of an area, a team or an application that has no score here: what it is called now, if it was renamed. */
export function Elsewhere({
  what,
  env,
  children = <NothingMatches what={what} env={env} />,
}: {
  /** What it means that there is nothing: `No application has reported`. */
  readonly what: string;
  readonly env: string;
  /** What else there is to say. */
  readonly children?: ComponentChildren;
}) {
  const { area, team, app } = place.value;
  const names = area === undefined ? undefined : { former_area: area, former_team: team, former_app: app };
  const formerNames = useReading("/former-names", names);
  // In the order of names: that of an application comes after the one of its team, which comes after the one of its area.
  const formerName = formerNames?.answer.value?.items.findLast(
    (one) => (one.team === null || one.team === team) && (one.app === null || one.app === app),
  );
  useEffect(() => {
    if (formerName)
      goFrom(
        [area, team, app].filter((name) => name !== undefined),
        renamed(place.peek(), formerName),
      );
  }, [formerName]);
  if (!names) return <>{children}</>;
  return <Read reading={formerNames}>{() => (formerName ? null : children)}</Read>;
}

/** The former name of a team gives all that is in it another name. */
function renamed({ team, app, ...rest }: Place, { moved_to: to }: FormerName): Place {
  const [newTeam, newApp] = [to.team ?? team, to.app ?? app];
  return { ...rest, area: to.area, ...(newTeam && { team: newTeam }), ...(newApp && { app: newApp }) };
}
