import { useReading } from "../data/reading.ts";
import { mayAsk, mayDecide } from "../data/rights.ts";
import { session } from "../data/session.ts";
import { count } from "../format.ts";
import { hrefOf, place, viewOf } from "../place.ts";

/** How many requests wait for the reader. */
export function useWaiting(): number {
  const query = { decidable: true, limit: 1 };
  return useReading("/waivers", mayDecide(session.value) ? query : undefined, { upTo: 1 })?.answer.value?.total ?? 0;
}

/** The lists of waivers, for a reader who may ask for one or decide. */
export function WaiverViews({ env }: { readonly env: string }) {
  const waiting = useWaiting();
  const isDecider = mayDecide(session.value);
  if (!isDecider && !mayAsk(session.value)) return null;
  const { area, team } = place.value;
  const views = [
    { name: "Waivers", to: { view: "waivers", env, area, team } },
    ...(isDecider ? [{ name: "Waits for me", to: { view: "waiting", env }, of: waiting }] : []),
    { name: "What I asked for", to: { view: "asked", env } },
  ];
  return (
    <nav class="chips" aria-label="Lists of waivers">
      {views.map(({ name, to, of }) => (
        <a
          key={name}
          class="chip choice"
          href={hrefOf(to)}
          aria-current={to.view === viewOf(place.value) ? "page" : undefined}
        >
          {name}
          {of !== undefined && <span class="of">{count(of)}</span>}
        </a>
      ))}
    </nav>
  );
}
