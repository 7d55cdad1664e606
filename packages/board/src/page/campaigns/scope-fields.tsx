import type { Team } from "@maturity/client";
import { useSignal } from "@preact/signals";
import { environmentsOf, useAreas } from "../data/environments.ts";
import { firstItems, useReading } from "../data/reading.ts";
import { mayCampaign } from "../data/rights.ts";
import { session } from "../data/session.ts";
import { sentence } from "../format.ts";
import { Field } from "../parts/field.tsx";

type Named = Pick<Team, "area" | "team">;

/** Whom a campaign is for. Only areas and teams are offered for which the reader may make one. */
export function ScopeFields({
  env,
  faultOf,
  onChange,
}: {
  readonly env: string;
  /** What the service has against a field, or what is within it. */
  readonly faultOf: (path: string) => string | undefined;
  /** Called for a change without an event of a field. */
  readonly onChange: () => void;
}) {
  const known = useAreas()?.answer.value?.items ?? [];
  const areas = [...new Set(known.map(({ area }) => area))].filter((area) => mayCampaign(session.value, { area }));
  const isForAll = mayCampaign(session.value, {});
  return (
    <>
      <Choices
        legend={isForAll ? "Areas (all without a choice)" : "Areas"}
        name="area"
        values={areas}
        fault={faultOf("scope.areas") ?? (faultOf("scope.teams") ? undefined : bare(faultOf, "scope"))}
      />
      <Teams fault={faultOf("scope.teams")} onRemove={onChange} />
      <Choices
        legend="Environments (all without a choice)"
        name="env"
        values={environmentsOf(known)}
        chosen={env}
        fault={faultOf("scope.env")}
      />
      <Field
        label="Tiers (all without one)"
        fault={faultOf("scope.tier")}
        hint="Of the registry, with commas between: 1, 2"
      >
        {(attributes) => <input {...attributes} name="tier" />}
      </Field>
      <Field
        label="Labels (all without one)"
        fault={faultOf("scope.labels")}
        hint="Of the registry, with commas between: kind=service, kind=worker"
      >
        {(attributes) => <input {...attributes} name="labels" />}
      </Field>
    </>
  );
}

/** What the service has against the scope as a whole, and not against a field of it. */
function bare(faultOf: (path: string) => string | undefined, path: string): string | undefined {
  const inside = ["areas", "teams", "env", "tier", "labels"].some((field) => faultOf(`${path}.${field}`) !== undefined);
  return inside ? undefined : faultOf(path);
}

function Choices({
  legend,
  name,
  values,
  chosen,
  fault,
}: {
  readonly legend: string;
  readonly name: string;
  readonly values: readonly string[];
  readonly chosen?: string;
  readonly fault: string | undefined;
}) {
  if (values.length === 0) return <small class="down">{fault && sentence(fault)}</small>;
  return (
    <fieldset class="field">
      <legend>{legend}</legend>
      <span class="row choices">
        {values.map((value) => (
          <label key={value}>
            <input type="checkbox" name={name} value={value} defaultChecked={value === chosen} /> <bdi>{value}</bdi>
          </label>
        ))}
      </span>
      <small class="down">{fault && sentence(fault)}</small>
    </fieldset>
  );
}

/** The teams beside the areas: each is chosen from a list, and can be taken away again. */
function Teams({ fault, onRemove }: { readonly fault: string | undefined; readonly onRemove: () => void }) {
  const chosen = useSignal<readonly Named[]>([]);
  const all = useReading("/teams", { limit: firstItems })?.answer.value?.items ?? [];
  const own = all.filter((team) => mayCampaign(session.value, { area: team.area, team: team.team }));
  const named = new Map(own.map(({ area, team }) => [JSON.stringify({ area, team }), { area, team }]));
  const taken = new Set(chosen.value.map((one) => JSON.stringify(one)));
  return (
    <Field
      label="Teams (beside the areas)"
      fault={fault}
      hint={
        chosen.value.length > 0 && (
          <span class="row choices">
            {chosen.value.map((one) => (
              <button
                key={JSON.stringify(one)}
                type="button"
                onClick={() => {
                  chosen.value = chosen.value.filter((other) => other !== one);
                  onRemove();
                }}
              >
                <bdi>
                  {one.area} / {one.team}
                </bdi>
                <span aria-hidden="true"> ×</span>
                <span class="sr">: take away</span>
              </button>
            ))}
          </span>
        )
      }
    >
      {(attributes) => (
        <>
          <select
            {...attributes}
            value=""
            onChange={({ currentTarget }) => {
              const found = named.get(currentTarget.value);
              if (found) chosen.value = [...chosen.value, found];
              currentTarget.value = "";
            }}
          >
            <option value="">Add a team …</option>
            {[...named]
              .filter(([key]) => !taken.has(key))
              .map(([key, { area, team }]) => (
                <option key={key} value={key}>
                  {area} / {team}
                </option>
              ))}
          </select>
          {[...taken].map((key) => (
            <input key={key} type="hidden" name="team" value={key} />
          ))}
        </>
      )}
    </Field>
  );
}
