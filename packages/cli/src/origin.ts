import { readFileSync } from "node:fs";
import { detectRun, maxPipelineId, maxRepository } from "./ci.ts";
import type { Flags } from "./command.ts";
import type { Context } from "./context.ts";
import { requireName } from "./sent-names.ts";

/** Which run of which repository reports, from flags or else from the CI. */
export interface Origin {
  readonly pipeline_id?: string;
  readonly project_repo?: string;
  readonly commit?: string;
}

/** @throws UsageError when the service would refuse a flag */
export function originOf({ pipelineId, projectRepo, commit }: Flags, { env }: Context): Origin {
  if (typeof pipelineId === "string") requireName("--pipeline-id", pipelineId, maxPipelineId);
  if (typeof projectRepo === "string") requireName("--project-repo", projectRepo, maxRepository);
  const { ci: _, ...detected } = detectRun(env, readIfThere) ?? { ci: "" };
  return {
    ...detected,
    ...(typeof pipelineId === "string" && { pipeline_id: pipelineId }),
    ...(typeof projectRepo === "string" && { project_repo: projectRepo }),
    ...(typeof commit === "string" && { commit }),
  };
}

/** For `detectRun`. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
