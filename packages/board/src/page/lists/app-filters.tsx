import type { Lists } from "@maturity/client";
import { useScorecards } from "../data/scorecards.ts";
import { change, place } from "../place.ts";

const facts = ["owner", "tier", "label"] as const;

/** What narrows the applications beside their names and levels: a scorecard that they never reported, and what is registered. */
export function AppFilters({ apps }: { readonly apps: readonly Lists["/apps"][] }) {
  const scorecards = useScorecards();
  return (
    <>
      <select
        aria-label="Never reported anything of"
        value={place.value.never ?? ""}
        onChange={({ currentTarget }) => change({ never: currentTarget.value })}
      >
        <option value="">never reported …</option>
        {scorecards.map(({ scorecard, title }) => (
          <option key={scorecard} value={scorecard}>
            never reported {title}
          </option>
        ))}
      </select>
      <details class="facts-of" open={facts.some((fact) => place.value[fact] !== undefined)}>
        <summary>Owner, tier, label</summary>
        {facts.map((fact) => (
          <label key={fact}>
            {fact === "label" ? "label, as name=value" : fact}{" "}
            <input
              list={`${fact}s`}
              value={place.value[fact] ?? ""}
              onChange={({ currentTarget }) => change({ [fact]: currentTarget.value.trim() })}
            />
            <datalist id={`${fact}s`}>
              {valuesOf(apps, fact).map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          </label>
        ))}
      </details>
    </>
  );
}

/** The most values that are offered. */
const offered = 200;

function valuesOf(apps: readonly Lists["/apps"][], fact: (typeof facts)[number]): readonly string[] {
  const values = apps.flatMap(({ owner, tier, labels }) =>
    fact === "label"
      ? Object.entries(labels).map(([name, value]) => `${name}=${value}`)
      : ({ owner, tier }[fact] ?? []),
  );
  return [...new Set(values)].sort().slice(0, offered);
}
