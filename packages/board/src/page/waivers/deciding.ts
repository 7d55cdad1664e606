import type { Waiver } from "@maturity/client";
import { addressOf, Failed, type Failure, send } from "../data/ask.ts";

export type Verb = "approve" | "reject" | "withdraw";

/** What became of a decision on a waiver: its failure, or none. */
export interface Outcome {
  readonly waiver: Waiver;
  readonly failure: Failure | undefined;
}

/** Decides on waivers, one after the other: that some fail leaves the others decided. */
export async function decide(waivers: readonly Waiver[], verb: Verb, comment: string): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const waiver of waivers) outcomes.push({ waiver, failure: await failureOf(waiver, verb, comment) });
  return outcomes;
}

async function failureOf({ id }: Waiver, verb: Verb, comment: string): Promise<Failure | undefined> {
  try {
    await send("POST", addressOf(`/waivers/${id}/${verb}`), comment === "" ? {} : { comment });
    return undefined;
  } catch (error) {
    if (error instanceof Failed) return error.failure;
    throw error;
  }
}
