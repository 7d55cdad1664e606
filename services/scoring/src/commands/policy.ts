import { Option } from "commander";
import { loadRules } from "../policy/policy-file.ts";
import { type ChangedSetting, changesBetween, policyOf, readRulesInForce, recordedOf } from "../policy/recorded.ts";
import { applyPolicy, noPolicy } from "../policy/rules.ts";
import type { RulesEffect } from "../rollups/changed-apps.ts";
import { compareRules } from "../rollups/compare-rules.ts";
import type { Database } from "../store/database.ts";
import { appsText, exemptedText, settingsTable } from "./changes-text.ts";
import type { Define, Env } from "./command.ts";
import { print } from "./print.ts";
import { declaredEngine } from "./serve/scorecards.ts";

/** Checks a policy file, or compares it with the policy in force. */
export const definePolicy: Define = (command, { io, onDatabase }) => {
  command
    .command("check")
    .description("says whether the service would start with this policy; needs no database")
    .argument("<file>", "the file that POLICY is to name")
    .action(async (file: string) => print([await checkPolicy(file, io.env)], io.stdout));
  command
    .command("diff")
    .description(
      "lists the applications whose score or level this policy would change, and what it exempts, without changing anything",
    )
    .argument("<file>", "the file that POLICY is to name")
    .addOption(new Option("--format <format>", "the format of the output").choices(["text", "json"]).default("text"))
    .addHelpText("after", aboutDatabase)
    .action((file: string, { format }: { format: "text" | "json" }) =>
      onDatabase(async (database) => {
        const diff = await diffPolicy(database, file, io.env);
        return format === "json" ? `${JSON.stringify(diff, null, 2)}\n` : textOf(diff, file);
      }, "read"),
    );
};

const aboutDatabase = `
It compares with what the service recorded at its last start. It only reads, from DATABASE_READ_URL if that is set, and
DATABASE_URL itself may name a replica.`;

/** Summarises a policy in a few lines. @throws OperatorError with every fault of the file */
async function checkPolicy(file: string, env: Env): Promise<string> {
  const { scorecards } = await declaredEngine(env);
  const rules = await loadRules(file, scorecards);
  const changes = changesBetween(recordedOf(applyPolicy(scorecards, noPolicy)), recordedOf(rules));
  const changed = (group: string) => changes.filter(({ setting }) => setting.startsWith(group)).length;
  const levels = rules.levels.map(({ name }) => name).join(", ");
  return [
    `The policy ${file} is in order.`,
    `Weights that differ from those of the packages: ${changed("weights.")}. Ages: ${changed("max_age_hours.")}.`,
    levels ? `Levels, from the lowest: ${levels}.` : "There are no levels.",
    "",
  ].join("\n");
}

/** The changes that a policy would make. */
export interface PolicyDiff extends RulesEffect {
  /** Since when the present policy is in force; null if no start has recorded one. */
  readonly in_force_since: Date | null;
  readonly settings: readonly ChangedSetting[];
}

/** Compares a policy with the policy in force, on the scores of one snapshot. @throws OperatorError with every fault of the file */
async function diffPolicy(database: Database, file: string, env: Env): Promise<PolicyDiff> {
  const { scorecards } = await declaredEngine(env);
  const proposed = await loadRules(file, scorecards);
  const last = await readRulesInForce(database);
  const inForce = last
    ? applyPolicy(scorecards, policyOf(last.record))
    : await loadRules(env.POLICY || undefined, scorecards);
  return {
    in_force_since: last?.since ?? null,
    settings: changesBetween(recordedOf(inForce), recordedOf(proposed)),
    ...(await compareRules(database, inForce, proposed)),
  };
}

function textOf({ in_force_since, settings, applications, changed, exempted }: PolicyDiff, file: string): string {
  const since = in_force_since ? `in force since ${in_force_since.toISOString().slice(0, 19)}Z` : "of the settings";
  if (settings.length === 0) return `The policy ${file} is the one ${since}.\n`;
  return `Compared with the policy ${since}:\n\n${settingsTable(settings)}\n${appsText({ applications, changed })}${exemptedText(exempted)}`;
}
