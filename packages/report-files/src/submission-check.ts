import type { AnySubmission } from "@maturity/client";
import type { Engine, Scorecard } from "@maturity/core";
import { maxBodyBytes, maxOrigin, nameFault, requireStorable, targetFields } from "@maturity/core/wire";

/** Why the service would refuse a submission; undefined where nothing is known to be wrong. */
export type CheckSubmission = (submission: AnySubmission) => string | undefined;

const names = [...targetFields, "pipeline_id", "project_repo"] as const;
const maxLengths: { readonly [name in (typeof names)[number]]?: number } = maxOrigin;

/** Creates the check of submissions. Whether values fit a metric is known of these scorecards, and of no others. */
export async function createCheck(scorecards: readonly Scorecard[]): Promise<CheckSubmission> {
  const { createEngine, MaturityError } = await import("@maturity/core");
  const engine: Engine = createEngine(scorecards);
  const here = new Set(scorecards.map(({ name }) => name));
  return (submission) => {
    const { scorecard, metric, raw } = submission;
    try {
      requireStorable(raw);
      if (here.has(scorecard)) engine.score(scorecard, metric, raw);
    } catch (error) {
      if (!(error instanceof MaturityError)) throw error;
      return error.message;
    }
    for (const field of names) {
      const name = submission[field];
      const fault = name === undefined ? undefined : nameFault(name, maxLengths[field]);
      if (fault) return `${field} ${fault}`;
    }
    const isTooLarge = Buffer.byteLength(JSON.stringify({ scores: [submission] })) > maxBodyBytes;
    return isTooLarge ? `takes more than ${maxBodyBytes.toLocaleString("en")} bytes; send less` : undefined;
  };
}
