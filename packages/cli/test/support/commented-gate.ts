import { expect } from "vitest";
import { type CliOptions, maturity, type Result, target } from "./cli.ts";
import { type ForgeServer, token } from "./forges.ts";
import { sast } from "./gated-service.ts";

/** A gate that is not met, with a comment and without a service. */
export async function gate(
  forge: Pick<ForgeServer, "env">,
  more: readonly string[] = [],
  options: CliOptions = {},
): Promise<Result> {
  const env = { ...forge.env, ...target, ...options.env };
  const result = await maturity(["gate", "--min", "60", ...sast(4), "--comment", ...more], { ...options, env });
  for (const text of [result.stdout, result.stderr]) expect(text).not.toContain(token);
  return result;
}

/** How a gate ended, without its answer. */
export const outcome = ({ code, stderr }: Result): Pick<Result, "code" | "stderr"> => ({ code, stderr });
