import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { addressOf, Failed, tryOut } from "../data/ask.ts";
import { plural, sentence } from "../format.ts";
import { Field } from "../parts/field.tsx";
import type { AskedFor } from "./asked-for.ts";

interface Choice {
  readonly label: string;
  readonly target: AskedFor;
}

/** From what is asked for up to its area. A waiver that follows another covers the same. */
export function choicesOf({ area, team, app, env, ...rest }: AskedFor): readonly Choice[] {
  const choices = [
    app !== undefined &&
      env !== undefined && { label: `${app}, only in ${env}`, target: { area, team, app, env, ...rest } },
    app !== undefined && { label: `${app}, in all environments`, target: { area, team, app, ...rest } },
    team !== undefined && { label: `all applications of ${team}`, target: { area, team, ...rest } },
    { label: `all applications of ${area}`, target: { area, ...rest } },
  ].filter((one) => one !== false);
  return rest.extends ? choices.slice(0, 1) : choices;
}

/** Chooses how much a waiver covers, and says how many applications that is. */
export function Covers({
  choices,
  chosen,
  onChoose,
  fault,
}: {
  readonly choices: readonly Choice[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
  readonly fault: string | undefined;
}) {
  const target = choices[chosen]?.target;
  return (
    <Field label="Covers" fault={fault} hint={target && <Extent key={chosen} target={target} />}>
      {(attributes) => (
        <select {...attributes} value={chosen} onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}>
          {choices.map(({ label }, index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface Tried {
  readonly covers: { readonly applications: number; readonly scores: number; readonly problems: number };
}

/** How many a waiver covers does not depend on its reason, which is not written yet. */
const unwritten = { kind: "not_applicable", reason: "-", owner: "-" };

/** How many applications, scores and open problems a waiver of this would cover today. */
export function Extent({ target }: { readonly target: AskedFor }) {
  const text = useSignal("");
  useEffect(() => {
    tryOut<Tried>(addressOf("/waivers", { dry_run: true }), { ...target, ...unwritten })
      .then((tried) => {
        const { applications, scores, problems } = tried?.covers ?? { applications: 0, scores: 0, problems: 0 };
        const held = [scores > 0 && plural(scores, "score"), problems > 0 && plural(problems, "open problem")];
        const texts = [plural(applications, "application"), ...held.filter((one) => one !== false)];
        text.value = `That is ${texts.join(", ")} today.`;
      })
      .catch((error: Error) => {
        text.value = error instanceof Failed ? sentence(error.message) : "";
      });
  }, []);
  return <span role="status">{text.value}</span>;
}
