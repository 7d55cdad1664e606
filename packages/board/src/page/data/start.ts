import { type ReadonlySignal, signal } from "@preact/signals";
import { go, hrefOf, place } from "../place.ts";
import { ownBounds, placeOf } from "./rights.ts";
import { findSession, session } from "./session.ts";

const current = signal(false);

/** Does the page wait to know where its reader begins? */
export const isStarting: ReadonlySignal<boolean> = current;

/** Asks for the reader. An address without a view begins at what the reader's rules name. */
export async function start(): Promise<void> {
  current.value = Object.keys(place.peek()).length === 0;
  await findSession();
  const [first, ...others] = current.value ? ownBounds(session.peek()) : [];
  if (first) go(hrefOf(others.length > 0 ? { view: "yours" } : placeOf(first)), { replace: true });
  current.value = false;
}
