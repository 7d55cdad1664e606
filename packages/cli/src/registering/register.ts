import type { CatalogReading, Plan } from "@maturity/catalog";
import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import type { Context } from "../context.ts";
import { decide } from "../deciding/consent.ts";
import { showEffect } from "./show-effect.ts";
import { planText, showPlan } from "./show-plan.ts";

/**
 * Registers applications, once it has shown what that would change, and the caller agrees.
 *
 * @param isWhole whether the reading has all applications of its areas, so that the missing ones are listed
 * @param isPartial whether an application keeps what is registered of it and the reading leaves out
 */
export async function registerFound(
  reading: CatalogReading,
  flags: Flags,
  context: Context,
  output: Output,
  { isWhole = true, isPartial = false }: { readonly isWhole?: boolean; readonly isPartial?: boolean } = {},
): Promise<Plan> {
  const { plan, applied, effect } = await decide(flags, context, output, async (client) => {
    const { planOf, register, registryOf } = await import("@maturity/catalog");
    const passedOver = [...reading.passedOver, ...reading.faults];
    const all = planOf({ ...reading, passedOver }, await registryOf(client, reading.apps), { isPartial });
    const plan = isWhole ? all : { ...all, absent: [] };
    const changes = [...plan.added, ...plan.changed.map(({ found }) => found)];
    return {
      async act(dryRun) {
        const effect = changes.length > 0 ? await register(client, changes, { dryRun }) : undefined;
        return { plan, applied: !dryRun && changes.length > 0, effect };
      },
      show({ applied, effect }, dryRun) {
        if (dryRun || flags.yes) {
          showPlan(plan, output);
          if (effect) showEffect(effect, output);
        }
        output.line(`${planText(plan)}${applied ? "; registered" : ""}`);
        return changes.length > 0;
      },
    };
  });
  output.result({ ...asJson(plan, applied), ...(effect && { effect }) });
  return plan;
}

function asJson({ added, changed, unchanged, absent, passedOver, notes }: Plan, applied: boolean): object {
  return {
    applied,
    new: added.map(({ entry }) => entry),
    changed: changed.map(({ found, differences }) => ({ ...found.entry, differences })),
    unchanged: unchanged.map(({ entry: { area, team, app } }) => ({ area, team, app })),
    not_in_files: absent,
    passed_over: passedOver.map(({ file, line, what, why }) => ({ file, line, what, why })),
    notes,
  };
}
