import { valuesOf } from "@maturity/command-line/flags";
import { addExamples, addServiceFlags, type CommandModule, collect } from "../command.ts";
import { addConsentFlags } from "../deciding/consent.ts";
import { addAppNames, labelOf, namesOf, requireAppNames } from "../deciding/named.ts";
import { exitCodes } from "../exit-codes.ts";
import { registerFound } from "../registering/register.ts";

/** `maturity app register`: registers one application, or adds to what is registered of it. */
export const appRegister: CommandModule = {
  define(command) {
    command.description(
      "Registers an application before it reports, or changes what is registered of it. What is left out stays as it is; " +
        "with --replace it is taken away. On a terminal it prints what it would change, and asks.",
    );
    addAppNames(command, "Which one");
    command
      .optionsGroup("What is known of it:")
      .option("--owner <name>", "the person or team that answers for it")
      .option("--repo <address>", "address of its repository")
      .option("--tier <name>", "how much depends on it, by whatever scale is in use")
      .option("--label <name=value>", "any other fact; may stand several times", collect)
      .option("--replace", "take away what is registered of it and is not named here");
    addConsentFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["a new one", "maturity app register --area shop --team checkout --app cart --owner ann --tier 1 --yes"],
      ["one more fact", "maturity app register --area shop --team checkout --app cart --label kind=service --dry-run"],
      ["many at once", "maturity app import apps.csv"],
    ]);
  },

  async run(_, flags, context, output) {
    const facts = namesOf(flags, ["owner", "repo", "tier"]);
    const labels = Object.fromEntries(valuesOf(flags.label).map(labelOf));
    const entry = {
      ...requireAppNames(flags),
      ...facts,
      ...(Object.keys(labels).length > 0 && { labels }),
    };
    const reading = { apps: [{ entry, file: "the command line", line: 1 }], passedOver: [], faults: [] };
    const isPartial = flags.replace !== true;
    const { passedOver } = await registerFound(reading, flags, context, output, { isWhole: false, isPartial });
    return passedOver.length > 0 ? exitCodes.refused : exitCodes.done;
  },
};
