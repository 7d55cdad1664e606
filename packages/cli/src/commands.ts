import { own } from "@maturity/command-line/own";
import type { CommandModule } from "./command.ts";

/** The headings of the help, each with the commands and nouns below it. */
export const headings: Readonly<Record<string, readonly string[]>> = {
  "In a pipeline:": ["submit", "gate", "detect", "collect", "backfill"],
  "To ask:": ["status", "score", "problem", "metric", "team", "area"],
  "To administer:": ["app", "waiver", "campaign", "badge", "audit"],
  "To set up:": ["init", "doctor", "formats", "metrics", "scorecard", "completion"],
};

/** The nouns, which are no commands by themselves, each with what its commands are about. */
export const nouns: Readonly<Record<string, string>> = {
  app: "applications",
  area: "areas",
  audit: "what was changed, and by whom",
  badge: "badges, images of what an application has reached",
  campaign: "campaigns, goals for many applications by a date",
  metric: "metrics over all applications",
  problem: "problems that scanners found",
  score: "scores of metrics",
  scorecard: "scorecards that are files in YAML",
  team: "teams",
  waiver: "waivers",
};

/**
 * All commands by their names, each with a line for the help and its file, which is loaded only when it is called. A name
 * of two words is a noun and a verb. The file exports the command by its name in camel case.
 */
export const commands: Readonly<Record<string, readonly [summary: string, file: () => Promise<object>]>> = {
  submit: ["score the reports of tools, or raw values, and send them", () => import("./commands/submit.ts")],
  gate: ["fail where a report scores too low, or lower than before", () => import("./commands/gate.ts")],
  detect: ["show what submit would make of files and directories", () => import("./commands/detect.ts")],
  collect: ["run scheduled queries, PromQL and SQL, and send what they give", () => import("./commands/collect.ts")],
  backfill: ["send results of the past, from reports or rows", () => import("./commands/backfill.ts")],
  status: ["show what this application scores, why, and what to do first", () => import("./commands/status.ts")],
  "score list": ["list the stored scores of metrics, the worst first", () => import("./commands/lists.ts")],
  "score history": [
    "list the scores of the last days, or each change of a metric",
    () => import("./commands/score-history.ts"),
  ],
  "problem list": ["list the open problems, the gravest first", () => import("./commands/lists.ts")],
  "problem times": [
    "list how long problems are open, and were until they were resolved",
    () => import("./commands/problem-times.ts"),
  ],
  "problem weeks": [
    "list how many problems were opened and resolved each week",
    () => import("./commands/problem-times.ts"),
  ],
  "problem report": [
    "open or resolve a problem by the report of a scanner",
    () => import("./commands/problem-report.ts"),
  ],
  "metric list": ["list metrics over all applications, what costs most first", () => import("./commands/lists.ts")],
  "team list": ["list teams with their scores, the worst first", () => import("./commands/lists.ts")],
  "team show": ["show what a team scores, and what it fixes first", () => import("./commands/group-show.ts")],
  "area list": ["list areas with their scores, the worst first", () => import("./commands/lists.ts")],
  "area show": ["show what an area scores, and what it fixes first", () => import("./commands/group-show.ts")],
  "app list": [
    "list applications: with their scores, registered, retired, or former names",
    () => import("./commands/app-list.ts"),
  ],
  "app show": ["show what one application scores, and why", () => import("./commands/status.ts")],
  "app changes": ["list which applications got worse or better, and why", () => import("./commands/app-list.ts")],
  "app levels": ["list the levels, and how many applications have each", () => import("./commands/app-list.ts")],
  "app register": [
    "register an application, or change what is registered of it",
    () => import("./commands/app-register.ts"),
  ],
  "app import": [
    "register the applications of Backstage catalog files or of a table",
    () => import("./commands/app-import.ts"),
  ],
  "app move": ["give an application, a team or an area another name or place", () => import("./commands/app-move.ts")],
  "app merge": ["move it onto one that is there already", () => import("./commands/app-move.ts")],
  "app retire": ["take an application out of scores, scrapes and alerts", () => import("./commands/app-retire.ts")],
  "app restore": ["bring a retired application back", () => import("./commands/app-retire.ts")],
  "waiver list": ["list the waivers in force, those that end first at the top", () => import("./commands/lists.ts")],
  "waiver add": [
    "leave a metric or a kind of problem out, with a reason and an end",
    () => import("./commands/waiver-add.ts"),
  ],
  "waiver revoke": ["end a waiver now", () => import("./commands/waiver-decide.ts")],
  "waiver request": ["ask somebody else for a waiver", () => import("./commands/waiver-add.ts")],
  "waiver approve": ["approve a waiver that somebody else asked for", () => import("./commands/waiver-decide.ts")],
  "waiver reject": ["reject a waiver that somebody else asked for", () => import("./commands/waiver-decide.ts")],
  "waiver withdraw": ["take back a request for a waiver", () => import("./commands/waiver-decide.ts")],
  "campaign list": ["list campaigns with their progress", () => import("./commands/campaign.ts")],
  "campaign show": [
    "show a campaign, and which applications are left, the worst first",
    () => import("./commands/campaign.ts"),
  ],
  "campaign create": [
    "make a campaign: a goal for many applications by a date",
    () => import("./commands/campaign.ts"),
  ],
  "campaign end": ["end a campaign before its date", () => import("./commands/campaign.ts")],
  "badge list": ["list badges with their addresses", () => import("./commands/badge.ts")],
  "badge create": [
    "make a badge for a README: the score, the level or one metric of an application",
    () => import("./commands/badge.ts"),
  ],
  "badge revoke": ["revoke a badge: its address leads nowhere", () => import("./commands/badge.ts")],
  "audit list": ["list what was changed, and by whom: moves, waivers, policies", () => import("./commands/lists.ts")],
  init: ["write maturity.yaml: whose results this repository sends", () => import("./commands/init.ts")],
  doctor: ["check address, token, clock and settings", () => import("./commands/doctor.ts")],
  formats: ["list the formats of reports that are read", () => import("./commands/formats.ts")],
  metrics: ["list the metrics that --metric names, or show one", () => import("./commands/metrics.ts")],
  "scorecard check": [
    "check a scorecard in YAML, and show what it scores",
    () => import("./commands/scorecard-check.ts"),
  ],
  "scorecard preview": [
    "show what it would score of existing results",
    () => import("./commands/scorecard-preview.ts"),
  ],
  "scorecard convert": ["write it as a package with the same scores", () => import("./commands/scorecard-convert.ts")],
  completion: ["print the completion script of a shell", () => import("./commands/completion.ts")],
};

/** Loads a command; undefined if there is none of this name. */
export async function loadCommand(name: string): Promise<CommandModule | undefined> {
  const [, file] = own(commands, name) ?? [];
  const exported = (await file?.()) as Readonly<Record<string, CommandModule>> | undefined;
  return exported?.[name.replace(/ (\w)/, (_, letter: string) => letter.toUpperCase())];
}
