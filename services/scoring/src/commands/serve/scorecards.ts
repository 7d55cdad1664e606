import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createEngine, type Engine, type Scorecard } from "@maturity/core";
import { resolve } from "import-meta-resolve";
import { hasCode, OperatorError } from "../../model/errors.ts";
import { parseScorecards } from "../config.ts";

/** A scorecard package could not be loaded. The message names it and the reason. */
export class ScorecardLoadError extends OperatorError {
  override readonly name = "ScorecardLoadError";
}

/**
 * Loads the scorecards that packages export, in the order of the names. A package is searched from `directory` first,
 * so that a deployment can add or pin it with `npm install` there, then among the service's own dependencies.
 *
 * @throws ScorecardLoadError when a package is missing, fails to load or exports no scorecard
 */
export async function loadScorecards(packages: readonly string[], directory: string): Promise<Scorecard[]> {
  const loaded: Scorecard[] = [];
  for (const name of packages) {
    const scorecards = new Set(Object.values(await load(name, directory)).filter(isScorecard));
    if (scorecards.size === 0) throw new ScorecardLoadError(`the package ${name} exports no scorecard`);
    loaded.push(...scorecards);
  }
  return loaded;
}

/** An engine of the packages of SCORECARDS, without a policy. @throws as `loadScorecards` and `createEngine` */
export async function declaredEngine(
  env: Readonly<Record<string, string | undefined>>,
  directory: string = process.cwd(),
): Promise<Engine> {
  return createEngine(await loadScorecards(parseScorecards(env), directory));
}

async function load(name: string, directory: string): Promise<Record<string, unknown>> {
  try {
    return await import(/* @vite-ignore */ locateScorecard(name, directory));
  } catch (cause) {
    const isMissing = hasCode(cause, "ERR_MODULE_NOT_FOUND") && String(cause).includes(`'${name}'`);
    const reason = isMissing
      ? `is not installed; run npm install ${name} in ${directory}`
      : `fails to load: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new ScorecardLoadError(`the package ${name} ${reason}`, { cause });
  }
}

/** The URL of the package as resolved from the directory, or its bare name if it is not found there. */
export function locateScorecard(name: string, directory: string): string {
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
