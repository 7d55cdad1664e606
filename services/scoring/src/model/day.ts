import Joi from "joi";
import { dayExists } from "./fields.ts";

/** A day in UTC, such as 2026-01-31. */
export const dayParameter: Joi.StringSchema = Joi.string().custom((value: string, { message }) =>
  /^[12]\d{3}-\d\d-\d\d$/.test(value) && dayExists(value)
    ? value
    : message({ custom: "must be a day such as 2026-01-31" }),
);
