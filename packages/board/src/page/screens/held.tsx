import { useReading } from "../data/reading.ts";
import { plural } from "../format.ts";
import { place } from "../place.ts";

/** The most names that are listed. */
const listed = 20;

/** The applications that reported and that nobody registered, where the service holds these; nothing without any. */
export function Held() {
  const { area, team, app } = place.value;
  const held = useReading("/registry", { area, team, app, held: true, limit: listed }, { upTo: listed })?.answer.value;
  if (!held || held.total === 0) return null;
  const rest = held.total - held.items.length;
  return (
    <section class="card silent" aria-labelledby="held">
      <h2 id="held">Held</h2>
      <p class="soft">
        {plural(held.total, "application has", "applications have")} reported and {held.total === 1 ? "is" : "are"} not
        registered, so {held.total === 1 ? "it counts" : "they count"} nowhere. <code>maturity app register</code>{" "}
        registers a name, and <code>maturity app merge</code> takes the results of a mistyped one to the right one.
      </p>
      <ul class="names">
        {held.items.map(({ area, team, app }) => (
          <li key={`${area}/${team}/${app}`}>
            <bdi>{area}</bdi> / <bdi>{team}</bdi> / <bdi>{app}</bdi>
          </li>
        ))}
        {rest > 0 && <li>and {plural(rest, "more", "more")}</li>}
      </ul>
    </section>
  );
}
