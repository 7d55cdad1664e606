import { percentage, rawObject } from "@maturity/core/joi";
import type Joi from "joi";

/** Test coverage. */
export interface Coverage {
  readonly coverage_pct: number;
}

export const coverage: Joi.ObjectSchema<Coverage> = rawObject<Coverage>({ coverage_pct: percentage });
