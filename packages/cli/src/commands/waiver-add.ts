import type { AnySubmission, Client, MadeWaiver, Waiver, WaiverRequest } from "@maturity/client";
import { unknownNames } from "../asking/unknown-names.ts";
import { waivedText } from "../asking/waivers.ts";
import { renamedText, scopeText } from "../asking/words.ts";
import { addExamples, addServiceFlags, type CommandModule, type Flags } from "../command.ts";
import { addConsentFlags, decide } from "../deciding/consent.ts";
import { endOf } from "../deciding/end.ts";
import { addAppNames, appFields, namesOf } from "../deciding/named.ts";
import { maxReason } from "../deciding/words.ts";
import { exitCodes } from "../exit-codes.ts";
import { metricNamed } from "../metrics.ts";
import { requireName } from "../sent-names.ts";
import { printable } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** `maturity waiver add`: leaves something out of the score, for a reason and for a time. */
export const waiverAdd: CommandModule = {
  define(command) {
    command.description(
      "Leaves a metric, a scorecard or a kind of problem out of the score, openly: with a reason, an owner and an end. " +
        "What a flag leaves out means all. A token that reports cannot waive.",
    );
    addAppNames(command, "Of what, an area, a team or an application");
    command
      .option("--env <name>", "only in this environment")
      .optionsGroup("What, one of these:")
      .option("-m, --metric <name>", "this metric: dast, or cost.budget")
      .option("--scorecard <name>", "this scorecard, all of it")
      .option("--problem <type>", "the alerts of this type of problem; it stays open and visible")
      .optionsGroup("Why and how long:")
      .option("--reason <text>", "why, for the readers of the numbers")
      .option("--owner <name>", "the person or team that answers for it")
      .option("--until <day>", "it ends when this day begins in UTC, 2027-03-01; at most 366 days ahead")
      .option("--for <time>", "it ends so long from now: 12h, 30d or 8w")
      .option("--not-applicable", "there is nothing to measure; needs no end");
    addConsentFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      [
        "a gap that is known, until it is closed",
        'maturity waiver add --area shop --team checkout --app cart --metric dast --until 2027-03-01 --owner ann --reason "new staging in spring" --yes',
      ],
      [
        "what there is nothing to measure of",
        'maturity waiver add --area shop --team checkout --app cart --metric unique_db_user --not-applicable --owner ann --reason "has no database" --yes',
      ],
    ]);
  },

  async run(_, flags, context, output) {
    const request = readWaiver(flags, context.now());
    const waiver = await decide<WaiverRequest | MadeWaiver>(flags, context, output, (client) => ({
      async act(dryRun) {
        if (!dryRun) return client.waive(request);
        for (const fault of await foreseen(request, client)) output.warn(fault);
        return request;
      },
      show(one, dryRun) {
        if ("moved_to" in one && one.moved_to) output.note(renamedText({ ...request, env: null }, one.moved_to));
        const { scorecard = null, metric = null, problem_type = null } = one;
        const what = `${printable(waivedText({ scorecard, metric, problem_type }))} of ${printable(scopeText(one))}`;
        output.line(`${dryRun ? "would waive" : "waived"} ${what}${untilText(one)}`);
        if ("id" in one) output.line(output.colors.dim(`maturity waiver revoke ${one.id} ends it early`));
        return true;
      },
    }));
    output.result({ ...(!("id" in waiver) && { dry_run: true }), ...waiver });
    return exitCodes.done;
  },
};

/** What the service would refuse of a waiver, or not apply to anything, as far as its lists show that. */
async function foreseen(request: WaiverRequest, client: Client<AnySubmission>): Promise<string[]> {
  const { scopes } = await client.whoAmI();
  const may = (scope: (typeof scopes)[number]) => scopes.includes(scope) || scopes.includes("admin");
  const missing = may("waiver:write") ? [] : ["the token lacks the scope waiver:write"];
  if (!may("read")) return [...missing, "the token lacks the scope read too, so only the flags were checked"];
  const { scorecard: name, metric } = request;
  const scorecards = await client.scorecards().toArray();
  const scorecard = scorecards.find((one) => one.scorecard === name);
  if (name && !scorecard) missing.push(`the service has no scorecard ${name}`);
  else if (metric && !scorecard?.metrics.some((one) => one.metric === metric)) {
    missing.push(`the service has no metric ${name}.${metric}`);
  }
  return [...missing, ...(await unknownNames(client, request)).map(({ text }) => text)];
}

function untilText({ expires_at: end }: Pick<WaiverRequest | Waiver, "expires_at">): string {
  return end === null || end === undefined
    ? ", until it is revoked"
    : ` until ${end.slice(0, 16).replace("T", " ")} UTC`;
}

/** @throws UsageError that names the flag which is missing or does not go with the others */
function readWaiver(flags: Flags, now: number): WaiverRequest {
  const { area, team, app, env } = namesOf(flags, [...appFields, "env"]);
  if (area === undefined)
    throw new UsageError("give --area, and --team, --app and --env where it is not about all of them");
  if (app !== undefined && team === undefined) throw new UsageError("--app needs --team: an application is of a team");
  if (env !== undefined && app === undefined)
    throw new UsageError("--env needs --app: an environment is of an application");
  const expiresAt = endOf(flags.until, flags.for, now);
  const isApplicable = flags.notApplicable !== true;
  if (isApplicable && expiresAt === undefined) {
    throw new UsageError("give --until or --for: what is accepted ends; --not-applicable needs no end");
  }
  return {
    kind: isApplicable ? "accepted" : "not_applicable",
    area,
    ...(team !== undefined && { team }),
    ...(app !== undefined && { app }),
    ...(env !== undefined && { env }),
    ...readSubject(flags),
    reason: requireText(flags, "reason", maxReason),
    owner: requireText(flags, "owner"),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  };
}

/** @throws UsageError unless exactly one flag says what is waived */
function readSubject({ metric, scorecard, problem }: Flags): Partial<WaiverRequest> {
  if ([metric, scorecard, problem].filter((one) => one !== undefined).length !== 1) {
    throw new UsageError("give one of --metric, --scorecard and --problem: what is waived");
  }
  if (metric !== undefined) return metricNamed(String(metric));
  if (scorecard !== undefined) return { scorecard: String(scorecard) };
  requireName("--problem", String(problem));
  return { problem_type: String(problem) };
}

function requireText(flags: Flags, name: "reason" | "owner", maximum?: number): string {
  const text = flags[name];
  if (typeof text !== "string") {
    throw new UsageError(
      `give --${name}: ${name === "reason" ? "why it is waived" : "the person or team that answers for it"}`,
    );
  }
  requireName(`--${name}`, text, maximum);
  return text;
}
