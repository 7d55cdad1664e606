import type { CommandModule } from "./command.ts";

interface Entry {
  /** One line for the list of commands in the help. */
  readonly summary: string;
  load(): Promise<CommandModule>;
}

/** Words under which users look for a command, with its real name. A misspelt real name need not be here. */
export const otherNames: Readonly<Record<string, string>> = {
  setup: "init",
  config: "init",
  configure: "init",
  new: "init",
  send: "submit",
  report: "submit",
  upload: "submit",
  push: "submit",
  score: "submit",
  find: "detect",
  recognize: "detect",
  finding: "problem",
  findings: "problem",
  check: "gate",
  verify: "gate",
  query: "collect",
  scrape: "collect",
  run: "collect",
  test: "doctor",
  whoami: "doctor",
  show: "status",
  why: "status",
  ls: "list",
  teams: "list",
  areas: "list",
  scores: "list",
  trend: "history",
  diff: "changes",
  completions: "completion",
  register: "apps import",
  import: "apps import",
  registry: "apps list",
  move: "apps move",
  rename: "apps move",
  merge: "apps merge",
  retire: "apps retire",
  restore: "apps restore",
  aliases: "apps aliases",
  accept: "waive",
  exempt: "waive",
  revoke: "waivers revoke",
  log: "audit",
  who: "audit",
};

/** The first words of commands that have two, which are no commands by themselves. */
export const groups: Readonly<Record<string, string>> = {
  apps: "register, move, merge and retire applications",
};

/**
 * All commands by their names, in the order of the help. Some names have two words. The file of a command is loaded only
 * when it is called.
 */
export const commands: Readonly<Record<string, Entry>> = {
  submit: {
    summary: "score the reports of tools, or raw values, and send them",
    load: async () => (await import("./commands/submit.ts")).submit,
  },
  detect: {
    summary: "tell what submit would make of files and directories; sends nothing",
    load: async () => (await import("./commands/detect.ts")).detect,
  },
  problem: {
    summary: "open or resolve a problem by the report of a scanner",
    load: async () => (await import("./commands/problem.ts")).problem,
  },
  gate: {
    summary: "fail where a report scores below a minimum or worse than what is stored; sends nothing",
    load: async () => (await import("./commands/gate.ts")).gate,
  },
  collect: {
    summary: "run scheduled queries, PromQL and SQL, and send what they give",
    load: async () => (await import("./commands/collect.ts")).collect,
  },
  status: {
    summary: "tell what this application scores, why, and what to do first",
    load: async () => (await import("./commands/status.ts")).status,
  },
  list: {
    summary: "list applications, teams, areas, scores or problems",
    load: async () => (await import("./commands/list.ts")).list,
  },
  history: {
    summary: "tell the scores of the last days, or each change of a metric",
    load: async () => (await import("./commands/history.ts")).history,
  },
  changes: {
    summary: "tell which applications got worse or better, and why",
    load: async () => (await import("./commands/changes.ts")).changes,
  },
  "apps list": {
    summary: "list what is registered, or what is retired",
    load: async () => (await import("./commands/apps-list.ts")).appsList,
  },
  "apps import": {
    summary: "register the applications of Backstage catalog files or of a table",
    load: async () => (await import("./commands/apps-import.ts")).appsImport,
  },
  "apps move": {
    summary: "give an application, a team or an area another name or place",
    load: async () => (await import("./commands/apps-move.ts")).appsMove,
  },
  "apps merge": {
    summary: "move it onto one that is there already",
    load: async () => (await import("./commands/apps-move.ts")).appsMerge,
  },
  "apps retire": {
    summary: "take an application out of scores, scrapes and alerts, and keep what it has stored",
    load: async () => (await import("./commands/apps-retire.ts")).appsRetire,
  },
  "apps restore": {
    summary: "bring a retired application back",
    load: async () => (await import("./commands/apps-retire.ts")).appsRestore,
  },
  "apps aliases": {
    summary: "list former names, and when a pipeline last used each",
    load: async () => (await import("./commands/apps-aliases.ts")).appsAliases,
  },
  waive: {
    summary: "leave a metric or a kind of problem out, with a reason and an end",
    load: async () => (await import("./commands/waive.ts")).waive,
  },
  waivers: {
    summary: "list the waivers in force, those that end first at the top",
    load: async () => (await import("./commands/waivers.ts")).waivers,
  },
  "waivers revoke": {
    summary: "end a waiver now",
    load: async () => (await import("./commands/waivers-revoke.ts")).waiversRevoke,
  },
  audit: {
    summary: "tell who did what: registrations, moves, waivers, tokens, policies",
    load: async () => (await import("./commands/audit.ts")).audit,
  },
  doctor: {
    summary: "check address, token, clock and settings",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  init: {
    summary: "write maturity.yaml: whose results this repository sends",
    load: async () => (await import("./commands/init.ts")).init,
  },
  completion: {
    summary: "print the completion script of a shell",
    load: async () => (await import("./commands/completion.ts")).completion,
  },
};
