import type { FormerName } from "@maturity/client";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useReading } from "../data/reading.ts";
import { type Place, place } from "../place.ts";
import { goFrom } from "./formerly.tsx";
import { NothingMatches } from "./heading.tsx";
import { Read } from "./states.tsx";

type NewNames = Pick<Place, "team" | "app"> & { readonly area: string };

interface Names {
  readonly area?: string | undefined;
  readonly team?: string | undefined;
  readonly app?: string | undefined;
}

/** In place of what is empty for an area, a team or an application: leads to the same under its new name, if it was renamed. */
export function Elsewhere({
  what,
  env,
  of: { area, team, app } = place.value,
  to = (now) => ({ ...place.peek(), ...now }),
  children = <NothingMatches what={what} env={env} />,
}: {
  /** What it means that there is nothing: `No application has reported`. */
  readonly what: string;
  /** Undefined where it is about all environments. */
  readonly env: string | undefined;
  /** The names that may be former ones, if not those of the place. */
  readonly of?: Names;
  /** The place of the new names. */
  readonly to?: (now: NewNames) => Place;
  /** What else there is to say. */
  readonly children?: ComponentChildren;
}) {
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
        to(renamed({ team, app }, formerName)),
      );
  }, [formerName]);
  if (!names) return <>{children}</>;
  return <Read reading={formerNames}>{() => (formerName ? null : children)}</Read>;
}

/** The former name of a team gives all that is in it another name. */
function renamed({ team, app }: Names, { moved_to: to }: FormerName): NewNames {
  const [newTeam, newApp] = [to.team ?? team, to.app ?? app];
  return { area: to.area, ...(newTeam && { team: newTeam }), ...(newApp && { app: newApp }) };
}
