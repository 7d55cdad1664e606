import type { StandardSchemaV1 } from "@standard-schema/spec";
import { expect } from "vitest";
import { type AnyMetric, createEngine, MaturityError, type Reason, type Score } from "../src/index.ts";
import { metricWith, scorecardWith } from "./scorecards.ts";

export const reasons: readonly Reason[] = [{ field: "eur", value: 1, text: "it costs 1 €" }];
export const raw: object = { eur: 1 };

/** Scores `input` by a metric with these changes. */
export function scoreBy(changes: Readonly<Record<string, unknown>>, input: unknown = raw): Score {
  return createEngine([scorecardWith({ metrics: [metricWith(changes)] })]).score("cost", "spend", input);
}

/** What it throws. */
export function failure(run: () => unknown): MaturityError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(MaturityError);
    return error as MaturityError;
  }
  throw new Error("it did not throw");
}

/** A schema whose validator is this function. */
export function validating(validate: (value: unknown) => unknown): AnyMetric["raw"] {
  return {
    "~standard": { version: 1, vendor: "test", validate: validate as StandardSchemaV1.Props["validate"] as never },
  };
}
