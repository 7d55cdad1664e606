import type { PassedOver } from "@maturity/catalog";
import { requireName } from "@maturity/command-line/require-name";
import { FilesError } from "@maturity/report-files/outcome";
import { expandFileNames } from "@maturity/report-files/report-files";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { addConsentFlags } from "../deciding/consent.ts";
import { exitCodes } from "../exit-codes.ts";
import { catalogSource } from "../registering/catalog-source.ts";
import { registerFound } from "../registering/register.ts";

/** `maturity app import`: registers the applications of catalog files. */
export const appImport: CommandModule = {
  define(command) {
    command
      .description(
        "Reads catalog files of Backstage, or tables in CSV, and prints what they would change in the registry of the " +
          "service. A Component is an application: its owner is the team, the domain of its system is the area. " +
          "On a terminal it asks before it registers them. Nothing is ever removed.",
      )
      .argument("<files...>", "catalog-info.yaml, apps.csv, a pattern, or - for standard input")
      .option("--area <name>", "area of what has no system with a domain, and of rows without one")
      .option("--keep-going", "take the rest where a file cannot be read; the exit code is still 2");
    addConsentFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["what would change", "maturity app import catalog-info.yaml --dry-run"],
      ["every catalog file below this directory", "maturity app import '**/catalog-info.yaml' --yes"],
      ["a table with the columns area, team, app, owner", "maturity app import apps.csv --yes"],
    ]);
  },

  async run(args, flags, context, output) {
    const area = typeof flags.area === "string" ? flags.area : undefined;
    if (area !== undefined) requireName("--area", area);
    const files = await expandFileNames(args, context.cwd);
    output.progress(`reading ${files.length} ${files.length === 1 ? "file" : "files"} …`);
    const { readCatalog } = await import("@maturity/catalog");
    const reading = await readCatalog(files, { area }, catalogSource(context));
    if (reading.faults.length > 0 && !flags.keepGoing) throw new FilesError(reading.faults.map(pathFault));
    await registerFound(reading, flags, context, output);
    return reading.faults.length > 0 ? exitCodes.wrongUse : exitCodes.done;
  },
};

function pathFault(fault: PassedOver): { readonly path: string; readonly message: string } {
  return { path: fault.what === "the file" ? "" : `${fault.file}:${fault.line}`, message: fault.why };
}
