import { isInstant } from "@maturity/core/wire";
import Joi from "joi";
import { dayParameter } from "../model/day.ts";
import { withRule } from "../model/fields.ts";
import { clockToleranceS } from "../model/limits.ts";

/** A time in UTC with up to six decimals of a second, as an export writes it. */
export const time: Joi.StringSchema = withRule(Joi.string(), (value: string) =>
  /^.{11}(?!24).{8}(?:\.\d{1,6})?Z$/.test(value) && isInstant(value)
    ? undefined
    : "must be a time in UTC, such as 2026-01-31T12:00:00.123456Z",
);

/** Refuses times after `latest`. Such a score could not be replaced before that time, since `reported_at` never decreases. */
const notAhead: Joi.CustomValidator = (value: string, { message, prefs }) =>
  Date.parse(value) > prefs.context?.latest
    ? message({ custom: `is more than ${clockToleranceS} s ahead of the database's clock` })
    : value;

/** A time that is not ahead of the database's clock. */
export const past: Joi.StringSchema = time.custom(notAhead);

/** A day that is not ahead of the database's clock. */
export const day: Joi.StringSchema = dayParameter.custom(notAhead);
