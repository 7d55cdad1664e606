import { readFileSync } from "node:fs";
import type { Flags } from "@maturity/command-line/flags";
import { requireName } from "@maturity/command-line/require-name";
import { maxOrigin } from "@maturity/core/wire";
import { detectRun } from "@maturity/forge/ci";
import type { Context } from "./context.ts";

/** The run, the repository and the commit that a result comes from. */
export interface Origin {
  readonly pipeline_id?: string;
  readonly project_repo?: string;
  readonly commit?: string;
}

/**
 * The origin of a result: from the flags, else from the variables of the CI.
 *
 * @throws UsageError if the service would refuse the value of a flag
 */
export async function originOf({ pipelineId, projectRepo, commit }: Flags, { env }: Context): Promise<Origin> {
  if (typeof pipelineId === "string") requireName("--pipeline-id", pipelineId, maxOrigin.pipeline_id);
  if (typeof projectRepo === "string") requireName("--project-repo", projectRepo, maxOrigin.project_repo);
  const { ci: _, ...detected } = (await detectRun(env, readIfThere)) ?? { ci: "" };
  return {
    ...detected,
    ...(typeof pipelineId === "string" && { pipeline_id: pipelineId }),
    ...(typeof projectRepo === "string" && { project_repo: projectRepo }),
    ...(typeof commit === "string" && { commit }),
  };
}

/** The text of a file, or undefined if it cannot be read. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
