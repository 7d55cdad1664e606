import type { AnySubmission, Client } from "@maturity/client";
import { type Plan, planOf, type Registry } from "../catalog/plan.ts";
import { readCatalog } from "../catalog/read-catalog.ts";
import { type FoundApp, type PassedOver, placeText } from "../catalog/reading.ts";
import { planText, showPlan } from "../catalog/show-plan.ts";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import { exitCodes } from "../exit-codes.ts";
import { FilesError } from "../folder/outcome.ts";
import { expandFileNames } from "../report-files.ts";
import { requireName } from "../sent-names.ts";
import { resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";

/** `maturity app import`: registers the applications of catalog files. */
export const appImport: CommandModule = {
  define(command) {
    command
      .description(
        "Reads catalog files of Backstage, or tables in CSV, and prints what they would change in the registry of the " +
          "service. A Component is an application: its owner is the team, the domain of its system is the area. " +
          "Nothing is changed without --apply, and nothing is ever removed.",
      )
      .argument("<files...>", "catalog-info.yaml, apps.csv, a pattern, or - for standard input")
      .option("--area <name>", "area of what has no system with a domain, and of rows without one")
      .option("--apply", "register what is new or changed")
      .option("--keep-going", "take the rest where a file cannot be read; the exit code is still 2");
    addServiceFlags(command);
    addExamples(command, [
      ["what would change", "maturity app import catalog-info.yaml"],
      ["every catalog file below this directory", "maturity app import '**/catalog-info.yaml' --apply"],
      ["a table with the columns area, team, app, owner", "maturity app import apps.csv --apply"],
    ]);
  },

  async run(args, flags, context, output) {
    const area = typeof flags.area === "string" ? flags.area : undefined;
    if (area !== undefined) requireName("--area", area);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const files = await expandFileNames(args, context.cwd);
    output.progress(`reading ${files.length} ${files.length === 1 ? "file" : "files"} …`);
    const reading = await readCatalog(files, { area }, context);
    if (reading.faults.length > 0 && !flags.keepGoing) throw new FilesError(reading.faults.map(pathFault));
    const client = await connect(settings, flags, context, output);
    output.progress("asking …");
    const passedOver = [...reading.passedOver, ...reading.faults];
    const plan = planOf({ ...reading, passedOver }, await registryOf(client, reading.apps));
    const changes = [...plan.added, ...plan.changed.map(({ found }) => found)];
    const applied = flags.apply === true && changes.length > 0;
    if (applied) await register(client, changes);
    showPlan(plan, output);
    const end = applied ? "; registered" : changes.length > 0 ? "; nothing is registered yet: --apply does it" : "";
    output.line(`${planText(plan)}${end}`);
    output.result(asJson(plan, applied));
    return reading.faults.length > 0 ? exitCodes.wrongUse : exitCodes.done;
  },
};

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

function pathFault(fault: PassedOver): { readonly path: string; readonly message: string } {
  return { path: fault.what === "the file" ? "" : placeText(fault), message: fault.why };
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
