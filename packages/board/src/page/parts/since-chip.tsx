import { isoDay } from "../format.ts";
import { change, place } from "../place.ts";

/** Chooses the day from which on something is shown. */
export function SinceChip({ usual }: { /** Without a choice. */ readonly usual?: string }) {
  return (
    <label class="chip">
      since{" "}
      <input
        type="date"
        value={place.value.since ?? usual ?? ""}
        max={isoDay(Date.now())}
        onChange={({ currentTarget }) => change({ since: currentTarget.value || undefined }, { replace: true })}
      />
    </label>
  );
}
