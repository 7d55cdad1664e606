import type { WaiverRequest } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import { requireName } from "@maturity/command-line/require-name";
import { UsageError } from "@maturity/command-line/usage-error";
import { metricNamed } from "@maturity/report-files/metric-name";
import type { Command } from "commander";
import { endOf } from "./end.ts";
import { addAppNames, appFields, namesOf, requireText } from "./named.ts";
import { maxReason } from "./words.ts";

/** Adds the flags that say what a waiver is of, why it is made and how long it lasts. */
export function addWaiverFlags(command: Command): void {
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
    .option("--evidence <address>", "where the evidence can be read, https://…")
    .option("--extends <id>", "the whole id of the waiver in force that it goes on from")
    .option("--until <day>", "it ends when this day begins in UTC, 2027-03-01; at most 366 days ahead")
    .option("--for <time>", "it ends so long from now: 12h, 30d or 8w")
    .option("--not-applicable", "there is nothing to measure; needs no end");
}

/**
 * The waiver that the flags describe.
 *
 * @throws UsageError that names the flag which is missing or does not go with the others
 */
export function readWaiver(flags: Flags, now: number): WaiverRequest {
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
    reason: requireText(flags, "reason", "why it is waived", maxReason),
    owner: requireText(flags, "owner", "the person or team that answers for it"),
    ...(typeof flags.evidence === "string" && { evidence: flags.evidence }),
    ...(typeof flags.extends === "string" && { extends: flags.extends }),
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
