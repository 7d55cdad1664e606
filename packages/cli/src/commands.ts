import type { CommandModule } from "./command.ts";

interface Entry {
  /** One line for the list of commands in the help. */
  readonly summary: string;
  load(): Promise<CommandModule>;
}

/** The headings of the help, each with the commands and nouns below it. */
export const headings: Readonly<Record<string, readonly string[]>> = {
  "In a pipeline:": ["submit", "gate", "detect", "collect"],
  "To ask:": ["status", "score", "problem", "team", "area"],
  "To administer:": ["app", "waiver", "audit"],
  "To set up:": ["init", "doctor", "formats", "metrics", "completion"],
};

/** The nouns, which are no commands by themselves, each with what its commands are about. */
export const nouns: Readonly<Record<string, string>> = {
  app: "applications",
  area: "areas",
  audit: "who did what",
  problem: "problems that scanners found",
  score: "scores of metrics",
  team: "teams",
  waiver: "waivers",
};

/**
 * All commands by their names. A name of two words is a noun and a verb. The file of a command is loaded only when it is
 * called.
 */
export const commands: Readonly<Record<string, Entry>> = {
  submit: {
    summary: "score the reports of tools, or raw values, and send them",
    load: async () => (await import("./commands/submit.ts")).submit,
  },
  gate: {
    summary: "fail where a report scores too low, or lower than before",
    load: async () => (await import("./commands/gate.ts")).gate,
  },
  detect: {
    summary: "tell what submit would make of files and directories",
    load: async () => (await import("./commands/detect.ts")).detect,
  },
  collect: {
    summary: "run scheduled queries, PromQL and SQL, and send what they give",
    load: async () => (await import("./commands/collect.ts")).collect,
  },
  status: {
    summary: "tell what this application scores, why, and what to do first",
    load: async () => (await import("./commands/status.ts")).status,
  },
  "score list": {
    summary: "list the stored scores of metrics, the worst first",
    load: async () => (await import("./commands/lists.ts")).scoreList,
  },
  "score history": {
    summary: "list the scores of the last days, or each change of a metric",
    load: async () => (await import("./commands/score-history.ts")).scoreHistory,
  },
  "problem list": {
    summary: "list the open problems, the gravest first",
    load: async () => (await import("./commands/lists.ts")).problemList,
  },
  "problem report": {
    summary: "open or resolve a problem by the report of a scanner",
    load: async () => (await import("./commands/problem-report.ts")).problemReport,
  },
  "team list": {
    summary: "list teams with their scores, the worst first",
    load: async () => (await import("./commands/lists.ts")).teamList,
  },
  "area list": {
    summary: "list areas with their scores, the worst first",
    load: async () => (await import("./commands/lists.ts")).areaList,
  },
  "app list": {
    summary: "list applications: with their scores, registered, retired, or former names",
    load: async () => (await import("./commands/app-list.ts")).appList,
  },
  "app show": {
    summary: "tell what one application scores, and why",
    load: async () => (await import("./commands/status.ts")).appShow,
  },
  "app changes": {
    summary: "list which applications got worse or better, and why",
    load: async () => (await import("./commands/app-list.ts")).appChangesList,
  },
  "app register": {
    summary: "register an application, or change what is registered of it",
    load: async () => (await import("./commands/app-register.ts")).appRegister,
  },
  "app import": {
    summary: "register the applications of Backstage catalog files or of a table",
    load: async () => (await import("./commands/app-import.ts")).appImport,
  },
  "app move": {
    summary: "give an application, a team or an area another name or place",
    load: async () => (await import("./commands/app-move.ts")).appMove,
  },
  "app merge": {
    summary: "move it onto one that is there already",
    load: async () => (await import("./commands/app-move.ts")).appMerge,
  },
  "app retire": {
    summary: "take an application out of scores, scrapes and alerts",
    load: async () => (await import("./commands/app-retire.ts")).appRetire,
  },
  "app restore": {
    summary: "bring a retired application back",
    load: async () => (await import("./commands/app-retire.ts")).appRestore,
  },
  "waiver list": {
    summary: "list the waivers in force, those that end first at the top",
    load: async () => (await import("./commands/lists.ts")).waiverList,
  },
  "waiver add": {
    summary: "leave a metric or a kind of problem out, with a reason and an end",
    load: async () => (await import("./commands/waiver-add.ts")).waiverAdd,
  },
  "waiver revoke": {
    summary: "end a waiver now",
    load: async () => (await import("./commands/waiver-revoke.ts")).waiverRevoke,
  },
  "audit list": {
    summary: "list who did what: registrations, moves, waivers, tokens, policies",
    load: async () => (await import("./commands/lists.ts")).auditList,
  },
  init: {
    summary: "write maturity.yaml: whose results this repository sends",
    load: async () => (await import("./commands/init.ts")).init,
  },
  doctor: {
    summary: "check address, token, clock and settings",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  formats: {
    summary: "list the formats of reports that are read",
    load: async () => (await import("./commands/formats.ts")).formats,
  },
  metrics: {
    summary: "list the metrics that --metric names",
    load: async () => (await import("./commands/formats.ts")).metrics,
  },
  completion: {
    summary: "print the completion script of a shell",
    load: async () => (await import("./commands/completion.ts")).completion,
  },
};
