import { type ReadonlySignal, signal } from "@preact/signals";
import { go, hrefOf, type Place, place } from "../place.ts";
import { addressOf, askPage } from "./ask.ts";
import { firstItems } from "./reading.ts";
import { listOf, ownBounds, placeOf } from "./rights.ts";
import { type Bounds, findSession, session } from "./session.ts";

const current = signal(false);

/** Does the page wait to know where its reader begins? */
export const isStarting: ReadonlySignal<boolean> = current;

/** Asks for the reader. An address without a view begins at what the reader's rules name. */
export async function start(): Promise<void> {
  current.value = Object.keys(place.peek()).length === 0;
  await findSession();
  const [first, ...others] = current.value ? ownBounds(session.peek()) : [];
  if (first) go(hrefOf(others.length > 0 ? { view: "yours" } : await wholePlaceOf(first)), { replace: true });
  current.value = false;
}

/** A rule may name a team and not its area: where one area alone has that team, it is shown there. */
async function wholePlaceOf(bounds: Bounds): Promise<Place> {
  const list = addressOf(listOf(bounds), { ...bounds, limit: firstItems });
  const found = (await askPage<Bounds>(list).catch(() => undefined))?.body.items ?? [];
  const places = new Set(found.map(({ area, team, app }) => JSON.stringify({ area, team, app })));
  return placeOf(places.size === 1 ? JSON.parse([...places].join()) : bounds);
}
