import Joi from "joi";
import { clockToleranceS } from "../model/limits.ts";

/** A time in UTC, as an export writes it. */
export const time: Joi.StringSchema = Joi.string().custom((value: string, { message }) =>
  isTime(value) ? value : message({ custom: "must be a time in UTC, such as 2026-01-31T12:00:00.123456Z" }),
);

/** Says whether a text is an existing time in UTC, with up to six decimals of a second. */
function isTime(text: string): boolean {
  const [, seconds] = /^([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,6})?Z$/.exec(text) ?? [];
  if (seconds === undefined) return false;
  const date = new Date(`${seconds}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds);
}

/** Refuses times after `latest`. Such a score could not be replaced before that time, since `reported_at` never decreases. */
const notAhead: Joi.CustomValidator = (value: string, { message, prefs }) =>
  Date.parse(value) > prefs.context?.latest
    ? message({ custom: `is more than ${clockToleranceS} s ahead of the database's clock` })
    : value;

/** A time that is not ahead of the database's clock. */
export const past: Joi.StringSchema = time.custom(notAhead);

/** A day in UTC. */
export const anyDay: Joi.StringSchema = Joi.string().custom((value: string, { message }) =>
  /^\d{4}-\d\d-\d\d$/.test(value) && isTime(`${value}T00:00:00Z`)
    ? value
    : message({ custom: "must be a day, such as 2026-01-31" }),
);

/** A day that is not ahead of the database's clock. */
export const day: Joi.StringSchema = anyDay.custom(notAhead);
