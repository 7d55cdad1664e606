import type { CampaignRequest } from "@maturity/client";
import { type Flags, valuesOf } from "@maturity/command-line/flags";
import { UsageError } from "@maturity/command-line/usage-error";
import { severities } from "@maturity/core/wire";
import { metricNamed } from "@maturity/report-files/metric-name";
import type { Command } from "commander";
import { choice } from "../asking/print-list.ts";
import { collect } from "../command.ts";
import { labelOf, requireText } from "./named.ts";
import { maxReason } from "./words.ts";

type Goal = CampaignRequest["goal"];
type Scope = NonNullable<CampaignRequest["scope"]>;

/** Adds the flags that say what a campaign is for. */
export function addCampaignFlags(command: Command): void {
  command
    .optionsGroup("What it is:")
    .option("--name <text>", "what it is called")
    .option("--why <text>", "why it is worth the work, for everybody who has to do something")
    .option("--link <address>", "where more can be read, https://…")
    .option("--owner <name>", "the person or team that answers for it")
    .option("--starts <day>", "the day from which on it runs, in UTC; default: today")
    .option("--due <day>", "its last day, in UTC, 2027-03-31")
    .optionsGroup("The goal, one of these:")
    .option("-m, --metric <name>", "this metric scores --min: secret_scan, or cost.budget")
    .option("--scorecard <name>", "this scorecard scores --min")
    .option("--level <name>", "this level of the policy")
    .addOption(
      choice("--no-open <severity>", "no problem of this severity is open; may stand several times", severities),
    )
    .option("--problem <type>", "with --no-open: problems of this type alone")
    .option("--min <score>", "the score that --metric or --scorecard has to reach")
    .optionsGroup("Which applications, all without these; most may stand several times:")
    .option("--area <name>", "of this area", collect)
    .option("--team <name>", "of this team of the one --area", collect)
    .option("--tier <tier>", "registered with this tier", collect)
    .option("--label <name=value>", "registered with this label", collect)
    .option("--env <name>", "in this environment", collect);
}

/**
 * The campaign that the flags describe.
 *
 * @throws UsageError that names the flag which is missing or does not go with the others
 */
export function readCampaign(flags: Flags): CampaignRequest {
  return {
    name: requireText(flags, "name", "what the campaign is called"),
    why: {
      text: requireText(flags, "why", "why it is worth the work", maxReason),
      ...(typeof flags.link === "string" && { url: flags.link }),
    },
    owner: requireText(flags, "owner", "the person or team that answers for it"),
    goal: goalOf(flags),
    scope: scopeOf(flags),
    ...(typeof flags.starts === "string" && { starts: flags.starts }),
    due: requireText(flags, "due", "its last day, such as 2027-03-31"),
  };
}

function goalOf({ metric, scorecard, level, noOpen, problem, min }: Flags): Goal {
  const severitiesGiven = valuesOf(noOpen) as (typeof severities)[number][];
  const given = [metric, scorecard, level, severitiesGiven[0]].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw new UsageError("give one of --metric, --scorecard, --level and --no-open: what an application has to reach");
  }
  const needsMin = metric !== undefined || scorecard !== undefined;
  if (needsMin && !(Number(min) > 0 && Number(min) <= 100)) {
    throw new UsageError("give --min: the score to reach, above 0 and at most 100");
  }
  if (!needsMin && min !== undefined) throw new UsageError("--min goes with --metric or --scorecard");
  if (problem !== undefined && severitiesGiven.length === 0) throw new UsageError("--problem goes with --no-open");
  if (metric !== undefined) {
    const { scorecard: of, metric: name } = metricNamed(String(metric));
    return { metric: `${of}.${name}`, min: Number(min) };
  }
  if (scorecard !== undefined) return { scorecard: String(scorecard), min: Number(min) };
  if (level !== undefined) return { level: String(level) };
  return { no_open_problems: severitiesGiven, ...(problem !== undefined && { problem_type: String(problem) }) };
}

function scopeOf(flags: Flags): Scope {
  const [areas, teams, tier, env] = [flags.area, flags.team, flags.tier, flags.env].map((flag) => valuesOf(flag));
  const [area = "", ...others] = areas ?? [];
  if (teams?.length && (area === "" || others.length > 0))
    throw new UsageError("--team needs one --area, which it is of");
  const labels = Map.groupBy(valuesOf(flags.label).map(labelOf), ([name]) => name);
  const valuesByName = [...labels].map(([name, given]) => [name, given.map(([, value]) => value)]);
  return {
    ...(teams?.length ? { teams: teams.map((team) => ({ area, team })) } : areas?.length ? { areas } : {}),
    ...(tier?.length ? { tier } : {}),
    ...(labels.size > 0 && { labels: Object.fromEntries(valuesByName) }),
    ...(env?.length ? { env } : {}),
  } as Scope;
}
