import type { Signal } from "@preact/signals";
import { metricsOf } from "../data/metrics.ts";
import { useReading } from "../data/reading.ts";
import { sentence } from "../format.ts";
import { Field } from "../parts/field.tsx";
import { type GoalKind, goalKinds } from "./written.ts";

const severities = ["critical", "high", "medium", "low", "info"] as const;

/** What an application has to reach. */
export function GoalFields({
  kind,
  faultOf,
}: {
  readonly kind: Signal<GoalKind>;
  /** What the service has against a field, or what is within it. */
  readonly faultOf: (path: string) => string | undefined;
}) {
  const scorecards = useReading("/scorecards", {})?.answer.value?.items ?? [];
  // Each environment has all of them, the lowest first.
  const levels = new Set(useReading("/levels", {})?.answer.value?.items.flatMap(({ name }) => name ?? []));
  const named = ["goal.metric", "goal.scorecard", "goal.min", "goal.level", "goal.problem_type"];
  const rest = faultOf("goal") && named.every((path) => faultOf(path) === undefined) ? faultOf("goal") : undefined;
  return (
    <>
      <Field label="Goal" fault={kind.value === "no_open_problems" ? undefined : rest}>
        {(attributes) => (
          <select
            {...attributes}
            value={kind.value}
            onChange={({ currentTarget }) => {
              kind.value = currentTarget.value as GoalKind;
            }}
          >
            {Object.entries(goalKinds).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      {kind.value === "metric" && (
        <Field label="Metric" fault={faultOf("goal.metric")}>
          {(attributes) => (
            <select {...attributes} name="metric">
              {metricsOf(scorecards).map(({ id, title }) => (
                <option key={id} value={id}>
                  {title} ({id})
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {kind.value === "scorecard" && (
        <Field label="Scorecard" fault={faultOf("goal.scorecard")}>
          {(attributes) => (
            <select {...attributes} name="scorecard">
              {scorecards.map(({ scorecard }) => (
                <option key={scorecard}>{scorecard}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      {(kind.value === "metric" || kind.value === "scorecard") && (
        <Field label="Score to reach" fault={faultOf("goal.min")} hint="From above 0 to 100.">
          {(attributes) => (
            <input {...attributes} name="min" type="number" min={0} max={100} step="any" defaultValue="100" required />
          )}
        </Field>
      )}
      {kind.value === "level" && (
        <Field
          label="Level"
          fault={faultOf("goal.level")}
          hint={levels.size === 0 && "The policy has no levels, or no application has a score."}
        >
          {(attributes) => (
            <select {...attributes} name="level" required>
              {[...levels].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      {kind.value === "no_open_problems" && (
        <>
          <fieldset class="field">
            <legend>Of these severities</legend>
            <span class="row choices">
              {severities.map((severity) => (
                <label key={severity}>
                  <input type="checkbox" name="severity" value={severity} defaultChecked={severity === "critical"} />{" "}
                  {severity}
                </label>
              ))}
            </span>
            <small class="down">{rest && sentence(rest)}</small>
          </fieldset>
          <Field
            label="Type of problem (may be left empty)"
            fault={faultOf("goal.problem_type")}
            hint="Only of this type, for which each application must have been scanned."
          >
            {(attributes) => <input {...attributes} name="problem_type" />}
          </Field>
        </>
      )}
    </>
  );
}
