import { readFile } from "node:fs/promises";
import type { Scorecard } from "@maturity/core";
import { ConfigError } from "../model/errors.ts";
import { parsePolicy } from "./policy-file.ts";
import { applyPolicy, noPolicy, type Rules } from "./rules.ts";

/**
 * The rules of a policy.
 *
 * @param file of the policy; without one the scorecards are as they are declared
 * @throws ConfigError if the file cannot be read, or with every fault of it
 */
export async function loadRules(file: string | undefined, declared: readonly Scorecard[]): Promise<Rules> {
  if (file === undefined) return applyPolicy(declared, noPolicy);
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new ConfigError(`The policy ${file} cannot be read: ${cause.message}`, { cause });
  });
  return applyPolicy(declared, parsePolicy(text, file, declared));
}
