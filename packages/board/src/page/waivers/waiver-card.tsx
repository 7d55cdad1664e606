import type { Waiver } from "@maturity/client";
import type { ComponentChildren } from "preact";
import { useScorecards } from "../data/scorecards.ts";
import { ago } from "../format.ts";
import { hrefOf, place } from "../place.ts";
import { Link } from "../screens/link.tsx";
import { endText } from "./became.ts";
import { subjectText, targetText } from "./words.ts";

const kindText = { accepted: "accepted for a time", not_applicable: "does not apply" } as const;

/** A waiver with all that decides on it. */
export function WaiverCard({ waiver, children }: { readonly waiver: Waiver; readonly children: ComponentChildren }) {
  const { area, team, app, env, kind, reason, owner, evidence, requested_by, requested_at } = waiver;
  const now = Date.now();
  const scorecards = useScorecards();
  const of = { env: env ?? place.value.env, area, team: team ?? undefined, app: app ?? undefined };
  return (
    <li class="card" id={waiver.id}>
      <h2>
        <bdi>{subjectText(waiver, scorecards)}</bdi> <span class="tag">{kindText[kind]}</span>
        {waiver.extends && <span class="tag">extends one that ends</span>}
      </h2>
      <p>
        <a href={hrefOf(of)}>
          <bdi>{targetText(waiver)}</bdi>
        </a>
        {app === null && <small>all applications of this {team === null ? "area" : "team"}</small>}
      </p>
      <p class="reason" dir="auto">
        {reason}
      </p>
      {evidence && (
        <p>
          evidence: <Link to={evidence} />
        </p>
      )}
      <small>
        asked by <bdi>{requested_by}</bdi> {ago(requested_at, now)}, owner <bdi>{owner}</bdi>, {endText(waiver)}
      </small>
      {children}
    </li>
  );
}
