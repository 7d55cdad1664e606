import Joi from "joi";

/** A percentage from 0 to 100; required. */
export const percentage: Joi.NumberSchema = Joi.number().min(0).max(100).required();

/** A flag; required. 0 and 1 are accepted too, since many tools print those, and become booleans. */
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
