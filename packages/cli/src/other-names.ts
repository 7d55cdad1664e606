/**
 * Words under which users look for a command, and former spellings, with the command. A misspelt real name need not be
 * here.
 */
const otherNames: Readonly<Record<string, string>> = {
  "apps list": "app list --registered",
  "apps aliases": "app list --former-names",
  "list apps": "app list",
  "list teams": "team list",
  "list areas": "area list",
  "list scores": "score list",
  "list problems": "problem list",
  "list waivers": "waiver list",
  "waivers revoke": "waiver revoke",
  apps: "app list",
  aliases: "app list --former-names",
  registry: "app list --registered",
  list: "app list",
  ls: "app list",
  show: "app show",
  register: "app register",
  import: "app import",
  move: "app move",
  rename: "app move",
  merge: "app merge",
  retire: "app retire",
  restore: "app restore",
  changes: "app changes",
  diff: "app changes",
  teams: "team list",
  areas: "area list",
  scores: "score list",
  history: "score history",
  trend: "score history",
  problems: "problem list",
  finding: "problem report",
  findings: "problem report",
  waivers: "waiver list",
  waive: "waiver add",
  accept: "waiver add",
  exempt: "waiver add",
  revoke: "waiver revoke",
  log: "audit list",
  who: "audit list",
  setup: "init",
  config: "init",
  configure: "init",
  new: "init",
  send: "submit",
  report: "submit",
  upload: "submit",
  push: "submit",
  find: "detect",
  recognize: "detect",
  check: "gate",
  verify: "gate",
  query: "collect",
  scrape: "collect",
  run: "collect",
  test: "doctor",
  whoami: "doctor",
  why: "status",
  completions: "completion",
};

/** The words that were given, as far as they name a command by another name, with the command that is meant. */
export function meantBy(
  [first = "", second = ""]: readonly string[],
  verbs: (noun: string) => readonly string[],
): { readonly given: string; readonly meant: string } | undefined {
  const both = `${first} ${second}`;
  if (Object.hasOwn(otherNames, both)) return { given: both, meant: otherNames[both] ?? "" };
  const noun = first.replace(/s$/, "");
  if (noun !== first && verbs(noun).includes(second)) return { given: both, meant: `${noun} ${second}` };
  return Object.hasOwn(otherNames, first) ? { given: first, meant: otherNames[first] ?? "" } : undefined;
}
