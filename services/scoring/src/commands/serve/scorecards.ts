import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve as resolvePath } from "node:path";
import { pathToFileURL } from "node:url";
import { createEngine, type Engine, type Scorecard } from "@maturity/core";
import { isScorecardFile, readScorecardFile, ScorecardFileError } from "@maturity/scorecard-file";
import { resolve } from "import-meta-resolve";
import { hasCode, OperatorError } from "../../model/errors.ts";
import type { Env } from "../command.ts";
import { parseConfig } from "../config.ts";
import { allOf } from "../explain.ts";

/**
 * Loads scorecards in the order of the entries, each of which is the name of a package or the path of a file in YAML. A
 * package is searched from `directory` first, so that a deployment can add or pin it with `npm install` there, then among
 * the service's own dependencies. A file is searched from `directory` first, then from the working directory.
 *
 * @throws OperatorError when a package is missing, fails to load or exports no scorecard, and with every fault of a file, or with
 * the faults of several entries
 */
export async function loadScorecards(entries: readonly string[], directory: string): Promise<Scorecard[]> {
  const loaded = await allOf(
    entries.map((name) =>
      isScorecardFile(name) ? loadFile(locateFile(name, directory)) : loadPackage(name, directory),
    ),
  );
  return loaded.flat();
}

/** An engine of the scorecards of SCORECARDS, without a policy. @throws as `loadScorecards` and `createEngine` */
export async function declaredEngine(env: Env, directory: string = process.cwd()): Promise<Engine> {
  return createEngine(await loadScorecards(parseConfig(env, ["SCORECARDS"]).scorecards, directory));
}

async function loadPackage(name: string, directory: string): Promise<Scorecard[]> {
  const scorecards = new Set(Object.values(await load(name, directory)).filter(isScorecard));
  if (scorecards.size === 0) throw new OperatorError(`the package ${name} exports no scorecard`);
  return [...scorecards];
}

async function load(name: string, directory: string): Promise<Record<string, unknown>> {
  try {
    return await import(/* @vite-ignore */ locateScorecard(name, directory));
  } catch (cause) {
    const isMissing = hasCode(cause, "ERR_MODULE_NOT_FOUND") && String(cause).includes(`'${name}'`);
    const reason = isMissing
      ? `is not installed; run npm install ${name} in ${directory}`
      : `fails to load: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new OperatorError(`the package ${name} ${reason}`, { cause });
  }
}

async function loadFile(path: string): Promise<Scorecard> {
  const text = await readFile(path, "utf8").catch((cause: Error) => {
    throw new OperatorError(`the scorecard ${path} cannot be read: ${cause.message}`, { cause });
  });
  try {
    return readScorecardFile(text, path).scorecard;
  } catch (cause) {
    if (cause instanceof ScorecardFileError) throw new OperatorError(cause.message, { cause });
    throw cause;
  }
}

/**
 * The path of a scorecard file: in the folder if it is there, else from the working directory. A folder with former packages
 * need not hold a file that has not changed.
 */
function locateFile(path: string, directory: string): string {
  const there = resolvePath(directory, path);
  return existsSync(there) ? there : resolvePath(path);
}

/**
 * Where an entry is found: of a file its path, of a package its URL as resolved from the directory, or its bare name if it
 * is not found there.
 */
export function locateScorecard(name: string, directory: string): string {
  if (isScorecardFile(name)) return locateFile(name, directory);
  try {
    return resolve(name, pathToFileURL(join(directory, "package.json")).href);
  } catch (error) {
    if (hasCode(error, "ERR_MODULE_NOT_FOUND")) return name;
    throw error;
  }
}

function isScorecard(value: unknown): value is Scorecard {
  return typeof value === "object" && value !== null && "contract" in value;
}
