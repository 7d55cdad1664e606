import { dayExists } from "@maturity/core/wire";
import Joi from "joi";
import { withRule } from "./fields.ts";

/** A day in UTC, such as 2026-01-31. */
export const dayParameter: Joi.StringSchema = withRule(Joi.string(), (value: string) =>
  /^[12]\d{3}-\d\d-\d\d$/.test(value) && dayExists(value) ? undefined : "must be a day such as 2026-01-31",
);
