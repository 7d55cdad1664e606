import type { CommandModule } from "./command.ts";

interface Entry {
  /** One line for the list of commands. */
  readonly summary: string;
  load(): Promise<CommandModule>;
}

/** What others call such a command, where the spelling does not lead there. */
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
  list: "detect",
  recognize: "detect",
  finding: "problem",
  findings: "problem",
  check: "gate",
  verify: "gate",
  query: "collect",
  scrape: "collect",
  run: "collect",
  status: "doctor",
  test: "doctor",
  whoami: "doctor",
  completions: "completion",
};

/** Every command by its name, in the order of the help. Each is loaded when it is asked for. */
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
    summary: "fail where a report scores below a minimum; sends nothing",
    load: async () => (await import("./commands/gate.ts")).gate,
  },
  collect: {
    summary: "run scheduled queries, PromQL and SQL, and send what they give",
    load: async () => (await import("./commands/collect.ts")).collect,
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
