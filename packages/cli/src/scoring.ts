import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { insteadOf } from "@maturity/command-line/did-you-mean";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Engine, Scorecard } from "@maturity/core";
import { requireStorable } from "@maturity/core/wire";
import type { DatedResult, Scored } from "@maturity/gate/judge";
import { isScorecardFile } from "@maturity/scorecard-file/is-scorecard-file";
import { readScorecard } from "./scorecards/read.ts";
import { type Settings, scorecardPackages } from "./settings.ts";

/** The scorecards that ship. Each is loaded only when it is needed. */
const shipped = new Map<string, () => Promise<Scorecard>>([
  ["security", async () => (await import("@maturity/security")).security],
  ["reliability", async () => (await import("@maturity/reliability")).reliability],
  ["application", async () => (await import("@maturity/application")).application],
]);

/**
 * Scores results on this machine.
 *
 * @throws UsageError if a scorecard is missing, and MaturityError for values that cannot be scored or stored
 */
export async function scoreHere(results: readonly DatedResult[], settings: Settings, cwd: string): Promise<Scored[]> {
  const scored: Scored[] = [];
  for (const result of results) {
    requireStorable(result.raw);
    const engine = await createScorer(result.scorecard, settings, cwd);
    scored.push({ ...result, engine, ...engine.score(result.scorecard, result.metric, result.raw) });
  }
  return scored;
}

/**
 * Creates an engine that scores the metrics of a scorecard on this machine. If one of the packages has a scorecard with
 * the name of one that ships, that of the package is used.
 *
 * @param directory where relative paths begin. Package names are never looked for there.
 * @throws UsageError if a package is missing, fails to load or exports no scorecard, or if the scorecard is in none
 */
async function createScorer(scorecard: string, settings: Settings, directory: string): Promise<Engine> {
  const { createEngine } = await import("@maturity/core");
  const scorecards: Scorecard[] = [];
  for (const name of scorecardPackages(settings)) scorecards.push(...(await load(name, directory)));
  if (!scorecards.some(({ name }) => name === scorecard)) {
    const own = shipped.get(scorecard);
    if (!own) throw new UsageError(missingScorecard(scorecard, scorecards));
    scorecards.push(await own());
  }
  return createEngine(scorecards);
}

/**
 * The scorecards of these packages, and those that ship, except where a package has one of the same name.
 *
 * @throws UsageError if a package is missing, fails to load or exports no scorecard
 */
export async function availableScorecards(settings: Settings, directory: string): Promise<Scorecard[]> {
  const named = new Map<string, Scorecard>();
  for (const [name, open] of shipped) named.set(name, await open());
  for (const name of scorecardPackages(settings))
    for (const scorecard of await load(name, directory)) named.set(scorecard.name, scorecard);
  return [...named.values()];
}

function missingScorecard(scorecard: string, loaded: readonly Scorecard[]): string {
  const known = [...new Set([...loaded.map(({ name }) => name), ...shipped.keys()])];
  return `there is no scorecard ${scorecard} on this machine${insteadOf(scorecard, known)}; give the package of another by --scorecards or MATURITY_SCORECARDS, such as --scorecards @acme/${scorecard}`;
}

/** Whether a text is the name of a package. Paths, files, addresses and paths inside a package are not. */
export function isPackageName(text: string): boolean {
  return !isScorecardFile(text) && /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i.test(text);
}

async function load(name: string, directory: string): Promise<Set<Scorecard>> {
  if (isScorecardFile(name)) return new Set([(await readScorecard(name, directory)).scorecard]);
  const isPath = /^(?:\.{0,2}[/\\]|\.{1,2}$|[a-z]:[/\\])/i.test(name);
  if (!isPath && !isPackageName(name)) {
    throw new UsageError(
      `--scorecards must hold names of packages, or paths such as ./cost.mjs and cost.yaml: ${name} is neither`,
    );
  }
  let exported: Record<string, unknown>;
  try {
    exported = await import(isPath ? await addressOf(resolve(directory, name)) : await installed(name));
  } catch (cause) {
    throw new UsageError(`the scorecard package ${name} ${reasonOf(cause, name, isPath)}`);
  }
  const scorecards = new Set(Object.values(exported).filter(isScorecard));
  if (scorecards.size === 0) throw new UsageError(`the package ${name} exports no scorecard`);
  return scorecards;
}

/**
 * The address of a package that is installed beside this program. The working directory is not searched, because a
 * repository may contain a `node_modules` with any code in it.
 */
async function installed(name: string): Promise<string> {
  const { resolve } = await import("import-meta-resolve");
  return resolve(name, import.meta.url);
}

/** The address of the module at a path. For a directory it is the module that the package in it exports. */
async function addressOf(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return pathToFileURL(path).href;
  const manifest = join(path, "package.json");
  const { name, exports } = JSON.parse(await readFile(manifest, "utf8"));
  if (exports === undefined) return pathToFileURL(createRequire(manifest).resolve(path)).href;
  const { resolve } = await import("import-meta-resolve");
  return resolve(name, pathToFileURL(manifest).href);
}

function reasonOf(cause: unknown, name: string, isPath: boolean): string {
  const { code, message } = Object(cause) as { code?: unknown; message?: unknown };
  if (isPath && code === "ENOENT") return "is not there";
  if (isPath || code !== "ERR_MODULE_NOT_FOUND" || !String(message).includes(`'${name}'`))
    return `fails to load: ${cause}`;
  return `is not installed beside this program; one of the repository is named by its path, such as --scorecards ./node_modules/${name}`;
}

function isScorecard(value: unknown): value is Scorecard {
  return typeof value === "object" && value !== null && "contract" in value;
}
