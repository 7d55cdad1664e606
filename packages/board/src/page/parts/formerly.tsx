import { signal } from "@preact/signals";
import { go, hrefOf, type Place, place } from "../place.ts";

/** Where a former name led to, and that name. */
const arrival = signal<{ readonly at: string; readonly former: string } | undefined>(undefined);

/** Goes to what a former name is called now, and remembers that name for as long as that place is shown. */
export function goFrom(former: readonly string[], to: Place): void {
  arrival.value = { at: subjectOf(to), former: former.join(" / ") };
  go(hrefOf(to), { replace: true });
}

/** Says by which former name one has come here. */
export function Formerly() {
  if (arrival.value?.at !== subjectOf(place.value)) return null;
  return (
    <p class="soft" role="status">
      formerly <bdi>{arrival.value.former}</bdi>
    </p>
  );
}

function subjectOf({ area, team, app }: Place): string {
  return JSON.stringify([area, team, app]);
}
