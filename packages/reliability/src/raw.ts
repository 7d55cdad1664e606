import Joi from "joi";

/** A duration in minutes, up to ten years. */
export const minutes: Joi.NumberSchema = Joi.number().min(0).max(5_256_000).required();
