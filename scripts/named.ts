/** What pages can name: commands with their options, and settings. */
export interface Names {
  /** The options of each command, such as `maturity app list`, with those of every command. */
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>;
  /** Environment variables of either program. */
  readonly variables: ReadonlySet<string>;
}

/** A name that nothing has, and the line of the page that has it, from 1. */
export interface Fault {
  readonly line: number;
  readonly text: string;
}

/** Reads the names from the pages that are made from the code: `docs/commands.md` and `docs/settings.md`. */
export function namesOf(commandsPage: string, settingsPage: string): Names {
  const commands = new Map<string, Set<string>>();
  const everywhere = new Set(["--help", "-h"]);
  let options = everywhere;
  for (const line of commandsPage.split("\n")) {
    const [, name] = /^### `(maturity(?:-service)?(?: [a-z-]+)*)/.exec(line) ?? [];
    if (name) {
      options = new Set();
      commands.set(name, options);
    }
    const [, flags = ""] = /^\| `((?:-\w, )?--[^`]+)`/.exec(line) ?? [];
    for (const [flag] of flags.matchAll(/(?<![\w-])--?[a-z][a-z-]*/g)) options.add(flag);
  }
  for (const [name, own] of commands)
    for (const flag of name.startsWith("maturity ") ? everywhere : ["--help", "-h"]) own.add(flag);
  const variables = [
    ...settingsPage.matchAll(/^\| `([A-Z_]+)` \|/gm),
    ...commandsPage.matchAll(/\b(MATURITY_[A-Z_]+)\b/g),
  ];
  return { commands, variables: new Set(variables.map(([, name = ""]) => name)) };
}

/** What can follow `pnpm`: with `--filter` or `-r` scripts of packages, otherwise those of the root and programs. */
export interface Scripts {
  readonly root: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
  /** What a script takes as its first word, such as the benches of `bench`. */
  readonly words: Readonly<Record<string, ReadonlySet<string>>>;
}

const ownCommands = ["install", "create", "pack", "publish", "audit", "deploy"];

/** Finds scripts of pnpm that nothing has: in the blocks of a page and in its code spans. */
export function unknownScripts(page: string, { root, packages, words }: Scripts): Fault[] {
  let isFenced = false;
  return page.split("\n").flatMap((whole, index) => {
    if (/^\s*```/.test(whole)) isFenced = !isFenced;
    const code = isFenced
      ? [whole.replace(/(?:^|\s)#.*$/, "")]
      : [...whole.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
    const calls = code.flatMap((text) => [...text.matchAll(pnpmCall)]);
    return calls.flatMap(([text, filter, name = "", word]) => {
      const isThere = ownCommands.includes(name) || (filter ? packages : root).has(name);
      const fits = word === undefined || words[name]?.has(word) !== false;
      return isThere && fits ? [] : [{ line: index + 1, text }];
    });
  });
}

const pnpmCall = /(?<![\w./@-])pnpm (--filter \S+ |-r )?([a-z][a-z0-9:-]*)(?: ([a-z][a-z-]*)(?![\w./@]))?/g;

/** Finds names that nothing has: in the command lines of a page, and in its code spans. */
export function unknownNames(page: string, names: Names): Fault[] {
  const faults: Fault[] = [];
  let fence: string | undefined;
  let pending = "";
  for (const [index, whole] of page.split("\n").entries()) {
    const line = index + 1;
    const add = (text: string | undefined) => text !== undefined && faults.push({ line, text });
    const [, opened] = /^\s*```(\w*)/.exec(whole) ?? [];
    if (opened !== undefined) {
      fence = fence === undefined ? opened : undefined;
      continue;
    }
    if (fence === undefined) {
      for (const [, span = ""] of whole.matchAll(/`([^`]+)`/g)) {
        for (const text of commandFaults(span, names)) add(text);
        add(variableFault(span, names));
      }
    } else if (/^(?:sh|shell|console|ya?ml)$/.test(fence)) {
      pending += whole.replace(/\\$/, "");
      if (whole.endsWith("\\")) continue;
      for (const text of commandFaults(pending.replace(/(?:^|\s)#.*$/, ""), names)) add(text);
      pending = "";
    }
  }
  return faults;
}

/** Each command line of a text: the program, and its words up to whatever ends them. */
const commandLine = /(?<![\w./@-]|-n |namespace |job: )(maturity(?:-service)?) ([^|;&()<>`…]*)/g;

function commandFaults(text: string, { commands }: Names): string[] {
  return [...text.matchAll(commandLine)].flatMap(([, program = "", rest = ""]) => {
    const words = rest
      .replace(/"[^"]*"|'[^']*'/g, "x")
      .trim()
      .split(/\s+/);
    const [first = "", second = ""] = words;
    // Without a command it is a sentence, the help or the version.
    if (!/^[a-z][a-z-]*$/.test(first) || first === "help") return [];
    const name = [`${program} ${first} ${second}`, `${program} ${first}`].find((one) => commands.has(one));
    const isNoun = [...commands.keys()].some((one) => one.startsWith(`${program} ${first} `));
    if (name === undefined) return isNoun && !/^[a-z]/.test(second) ? [] : [`${program} ${first} ${second}`.trim()];
    const options = commands.get(name) ?? new Set();
    const given = words.flatMap((word) => /^--?[a-z][a-z-]*/.exec(word)?.[0] ?? []);
    return given.filter((flag) => !options.has(flag)).map((flag) => `${name} ${flag}`);
  });
}

/** Variables of Node, npm, CI systems, images and the tests, and the token that GitLab makes. */
const ofOthers =
  /^(?:NODE|NPM|GITHUB|GITLAB|CI|BUILD|BUILDKITE|BITBUCKET|CIRCLE|GIT|SYSTEM|POSTGRES|GRAFANA|HTTPS|NO|FORCE|TEST|FUZZ)_|^MATURITY_ID_TOKEN$/;

/** A span that is a setting, alone or with a value, and that neither program has. */
function variableFault(span: string, { variables }: Names): string | undefined {
  const [, name] = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=\S*)?$/.exec(span) ?? [];
  return name === undefined || variables.has(name) || ofOthers.test(name) ? undefined : name;
}
