import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Engine, Scorecard } from "@maturity/core";
import { UsageError } from "./usage-error.ts";

/** Where the scorecards that ship come from; each is loaded only where it is needed. */
const shipped: Readonly<Record<string, () => Promise<Scorecard>>> = {
  security: async () => (await import("@maturity/security")).security,
  reliability: async () => (await import("@maturity/reliability")).reliability,
  application: async () => (await import("@maturity/application")).application,
};

/**
 * An engine that scores the metrics of a scorecard on this machine. A scorecard of the packages replaces the one of its
 * name that ships.
 *
 * @param packages installed in the directory or above it
 * @throws UsageError when a package is missing, fails to load or exports no scorecard
 */
export async function createScorer(scorecard: string, packages: readonly string[], directory: string): Promise<Engine> {
  const { createEngine } = await import("@maturity/core");
  const scorecards: Scorecard[] = [];
  for (const name of packages) scorecards.push(...(await load(name, directory)));
  const missing = scorecards.some(({ name }) => name === scorecard) ? undefined : shipped[scorecard];
  if (missing) scorecards.push(await missing());
  return createEngine(scorecards);
}

async function load(name: string, directory: string): Promise<Set<Scorecard>> {
  const { resolve } = await import("import-meta-resolve");
  let exported: Record<string, unknown>;
  try {
    exported = await import(resolve(name, pathToFileURL(join(directory, "package.json")).href));
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
    const reason =
      isMissing && cause.message.includes(`'${name}'`) ? "is not installed here" : `fails to load: ${cause}`;
    throw new UsageError(`the scorecard package ${name} ${reason}`);
  }
  const scorecards = new Set(Object.values(exported).filter(isScorecard));
  if (scorecards.size === 0) throw new UsageError(`the package ${name} exports no scorecard`);
  return scorecards;
}

function isScorecard(value: unknown): value is Scorecard {
  return typeof value === "object" && value !== null && "contract" in value;
}
