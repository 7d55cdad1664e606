import type { AnySubmission, Client, ProblemRequest, ProblemResponse } from "@maturity/client";
import type { Output } from "@maturity/command-line/output";
import { namingTimes } from "@maturity/report-files/measured";
import type { FoundProblem } from "@maturity/report-files/merge-group";
import { alertText, showProblem } from "../show-problem.ts";

/** What all problems of a call have in common: the application, and the channel of the alerts. */
export type ProblemFrame = Pick<ProblemRequest, "area" | "team" | "app" | "env" | "chat_channel">;

/** The problems that are stored, and what became of the others, by their types, if one fails. */
export interface SentProblems {
  readonly stored: readonly ProblemResponse[];
  readonly failure?: {
    readonly error: unknown;
    /** The problem that failed, if the service may have stored it nevertheless. */
    readonly inDoubt: readonly string[];
    readonly notStored: readonly string[];
  };
}

/** Sends the problems one after the other, and prints each when it is stored. If one fails, the rest is not sent. */
export async function sendProblems(
  problems: readonly FoundProblem[],
  frame: ProblemFrame,
  client: Client<AnySubmission>,
  output: Output,
): Promise<SentProblems> {
  const stored: ProblemResponse[] = [];
  for (const { found, reading } of problems) {
    output.progress(`sending ${found.problem_type} …`);
    try {
      const answer = await client.reportProblem({ ...frame, ...found });
      stored.push(answer);
      showProblem(answer, output);
      output.line(output.colors.dim(alertText(answer)));
    } catch (error) {
      const unsure = Object(error).inDoubt === true ? 1 : 0;
      const types = problems.slice(stored.length).map((problem) => problem.found.problem_type);
      const [inDoubt, notStored] = [types.slice(0, unsure), types.slice(unsure)];
      if (inDoubt.length > 0) output.warn(`the problem ${inDoubt} may be stored`);
      if (notStored.length > 0) output.warn(`not stored are the problems ${notStored.join(", ")}`);
      return { stored, failure: { error: await namingTimes(error, [{ ...found, reading }]), inDoubt, notStored } };
    }
  }
  return { stored };
}
