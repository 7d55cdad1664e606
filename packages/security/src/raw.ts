import Joi from "joi";

/** A number of findings. The upper bound, a billion, is far above any real scan. */
export const findings: Joi.NumberSchema = Joi.number().integer().min(0).max(1_000_000_000).required();

/** A flag. 0 and 1 are accepted too, since many scanners print those. */
export const flag: Joi.AlternativesSchema<boolean> = Joi.alternatives(Joi.boolean(), Joi.valid(0, 1))
  .required()
  .custom(Boolean)
  .messages({ "any.required": "is required", "*": "must be true or false" });

/** An object of these fields and any others, which are kept. Nothing is converted; all faults are found at once. */
export function rawObject<Raw extends object>(
  fields: {
    readonly [Field in keyof Raw]-?: Joi.Schema;
  },
): Joi.ObjectSchema<Raw> {
  return Joi.object<Raw>(fields)
    .unknown()
    .prefs({ abortEarly: false, convert: false, errors: { label: false } });
}

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
