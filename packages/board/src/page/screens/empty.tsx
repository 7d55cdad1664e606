import { useReading } from "../data/reading.ts";
import { readBounds } from "../data/rights.ts";
import { session } from "../data/session.ts";
import { plural } from "../format.ts";
import { BoundsText } from "../parts/bounds.tsx";
import { Command } from "../parts/command.tsx";
import { FirstReport } from "./first-report.tsx";

const example = { area: "shop", team: "checkout", app: "cart" };

/** Before the first report: how to send one, of an application that waits for it if one is registered. */
export function EmptyScreen() {
  const bounds = readBounds(session.value);
  const registered = useReading("/apps", { reported: false, limit: 1 }, { upTo: 1 })?.answer.value;
  const { area, team, app } = registered?.items[0] ?? example;
  return (
    <section class="notice">
      <h1 tabIndex={-1}>{bounds.length > 0 ? "Nothing to show" : "Nothing reported yet"}</h1>
      {bounds.length > 0 && (
        <p>
          You see only <BoundsText of={bounds} />. Nothing of it has reported
          {registered?.total === 0 && ", or it has moved out of these bounds"}.
        </p>
      )}
      {registered !== undefined && registered.total > 0 && (
        <p>{plural(registered.total, "application is", "applications are")} registered.</p>
      )}
      {(bounds.length === 0 || registered?.items[0]) && (
        <FirstReport of={{ area, team, app, env: "prod" }}>
          <p>Send the report of a tool, and this page shows its score within seconds:</p>
        </FirstReport>
      )}
      {bounds.length === 0 && (
        <>
          <p>Or look around in a made-up organisation, in a service of its own, from a clone of the repository:</p>
          <Command text="PORT=8081 pnpm demo" />
        </>
      )}
    </section>
  );
}
