import type { AnySubmission, Client } from "@maturity/client";
import type { Flags } from "../command.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { decide } from "../deciding/consent.ts";
import type { Output } from "../output.ts";
import { resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";
import { type Plan, planOf, type Registry } from "./plan.ts";
import { type CatalogReading, type FoundApp, placeText } from "./reading.ts";
import { planText, showPlan } from "./show-plan.ts";

/**
 * Registers applications, once it has shown what that would change, and the caller agrees.
 *
 * @param isWhole whether the reading has all applications of its areas, so that it is told which are missing
 */
export async function registerFound(
  reading: CatalogReading,
  flags: Flags,
  context: Context,
  output: Output,
  { isWhole = true }: { readonly isWhole?: boolean } = {},
): Promise<Plan> {
  const { plan, applied } = await decide(flags, context, output, async () => {
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const client = await connect(settings, flags, context, output);
    output.progress("asking …");
    const passedOver = [...reading.passedOver, ...reading.faults];
    const all = planOf({ ...reading, passedOver }, await registryOf(client, reading.apps));
    const plan = isWhole ? all : { ...all, absent: [] };
    const changes = [...plan.added, ...plan.changed.map(({ found }) => found)];
    return {
      async act(dryRun) {
        if (!dryRun && changes.length > 0) await register(client, changes);
        return { plan, applied: !dryRun && changes.length > 0 };
      },
      show({ applied }, dryRun) {
        if (dryRun || flags.yes) showPlan(plan, output);
        output.line(`${planText(plan)}${applied ? "; registered" : ""}`);
        return changes.length > 0;
      },
    };
  });
  output.result(asJson(plan, applied));
  return plan;
}

/** More areas than this are asked for as a whole, since an address has an end. */
const maxAreas = 50;

/** What is registered in the areas of these applications, and where those went that moved. */
async function registryOf(client: Client<AnySubmission>, apps: readonly FoundApp[]): Promise<Registry> {
  const aliases = await client.aliases().toArray();
  const moved = aliases.map(({ moved_to }) => moved_to.area);
  const areas = [...new Set([...apps.map(({ entry }) => entry.area), ...moved])];
  const query = areas.length <= maxAreas ? { area: areas } : {};
  const [registered, retired] = await Promise.all([
    client.registry(query).toArray(),
    client.registry({ ...query, retired: true }).toArray(),
  ]);
  return { registered, retired: retired.filter(({ env }) => env === null), aliases };
}

/** Registers applications. What the service refuses is told with its place in the files. */
async function register(client: Client<AnySubmission>, apps: readonly FoundApp[]): Promise<void> {
  try {
    await client.register(apps.map(({ entry }) => entry));
  } catch (error) {
    const { details } = error as { readonly details?: readonly { readonly path: string; readonly message: string }[] };
    const faults = (details ?? []).flatMap(({ path, message }) => {
      const [, index = "", field = ""] = /^apps\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
      const found = apps[Number(index)];
      return index && found ? [{ path: placeText(found), message: `${field} ${message}`.trim() }] : [];
    });
    throw faults.length > 0 && error instanceof Error
      ? Object.assign(error, {
          details: faults,
          message: faults.map(({ path, message }) => `${path} ${message}`).join("; "),
        })
      : error;
  }
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
