/** Each command, with former spellings of it, and words under which users look for it. A misspelt name need not be here. */
const otherNames: readonly (readonly [command: string, words: readonly string[]])[] = [
  ["app list --registered", ["apps list", "registry"]],
  ["app list --former-names", ["apps aliases", "aliases"]],
  ["app list", ["list apps", "apps", "list", "ls"]],
  ["team list", ["list teams", "teams"]],
  ["area list", ["list areas", "areas"]],
  ["score list", ["list scores", "scores"]],
  ["metric list", ["list metrics"]],
  ["problem list", ["list problems", "problems"]],
  ["waiver list", ["list waivers", "waivers"]],
  ["waiver revoke", ["waivers revoke", "revoke"]],
  ["app show", ["show"]],
  ["app register", ["register"]],
  ["app import", ["import"]],
  ["app move", ["move", "rename"]],
  ["app merge", ["merge"]],
  ["app retire", ["retire"]],
  ["app restore", ["restore"]],
  ["app changes", ["changes", "diff"]],
  ["score history", ["history", "trend"]],
  ["problem report", ["finding", "findings"]],
  ["waiver add", ["waive", "accept", "exempt"]],
  ["waiver approve", ["approve"]],
  ["waiver reject", ["reject", "deny"]],
  ["waiver request", ["ask"]],
  ["audit list", ["log", "who"]],
  ["init", ["setup", "config", "configure", "new"]],
  ["submit", ["send", "report", "upload", "push"]],
  ["detect", ["find", "recognize"]],
  ["gate", ["check", "verify"]],
  ["collect", ["query", "scrape", "run"]],
  ["doctor", ["test", "whoami"]],
  ["status", ["why"]],
  ["completion", ["completions"]],
];

function find(words: string): string | undefined {
  return otherNames.find(([, others]) => others.includes(words))?.[0];
}

/** The words that were given, as far as they name a command by another name, with the command that is meant. */
export function meantBy(
  [first = "", second = ""]: readonly string[],
  verbs: (noun: string) => readonly string[],
): { readonly given: string; readonly meant: string } | undefined {
  const both = `${first} ${second}`;
  const former = find(both);
  if (former) return { given: both, meant: former };
  const noun = first.replace(/s$/, "");
  if (noun !== first && verbs(noun).includes(second)) return { given: both, meant: `${noun} ${second}` };
  const meant = find(first);
  return meant === undefined ? undefined : { given: first, meant };
}
