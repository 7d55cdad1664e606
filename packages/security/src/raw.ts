import { rawObject } from "@maturity/core/joi";
import Joi from "joi";

/** A number of findings. The upper bound, a billion, is far above any real scan. */
export const findings: Joi.NumberSchema = Joi.number().integer().min(0).max(1_000_000_000).required();

/** Findings of a scanner by severity. */
export interface VulnerabilityCounts {
  readonly critical: number;
  readonly high: number;
  readonly medium: number;
}

export const vulnerabilityCounts: Joi.ObjectSchema<VulnerabilityCounts> = rawObject<VulnerabilityCounts>({
  critical: findings,
  high: findings,
  medium: findings,
});
