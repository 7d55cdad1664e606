import Joi from "joi";

/** A percentage from 0 to 100. */
export const percentage: Joi.NumberSchema = Joi.number().min(0).max(100).required();

/** A duration in minutes, up to ten years. */
export const minutes: Joi.NumberSchema = Joi.number().min(0).max(5_256_000).required();

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
