import { dayExists } from "@maturity/core/wire";
import Joi from "joi";

const example = "a day such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z";
const form = /^[12]\d{3}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A day, which means its first moment in UTC, or a time with its offset. The value is a time in ISO 8601, in UTC. */
export const timeParameter: Joi.StringSchema = Joi.string().custom((value: string, { message }) => {
  const time = form.test(value) && dayExists(value.slice(0, 10)) ? new Date(value).getTime() : Number.NaN;
  return Number.isNaN(time) ? message({ custom: faultOf(value) }) : new Date(time).toISOString();
});

function faultOf(value: string): string {
  if (form.test(`${value}Z`)) return "must end with its zone, such as Z for UTC: 2026-01-31T12:00:00Z";
  if (/^\+?(?:[3-9]\d{3}|\d{5,6})-\d\d-\d\d/.test(value)) return "must be before the year 3000";
  return `must be ${example}`;
}

/** The default first day of changes, in days before today. */
export const usualDays = 30;

/** The day, in UTC, that is this many days before a time. */
export function dayBefore(time: Date, days: number): string {
  return new Date(time.getTime() - days * 86_400_000).toISOString().slice(0, 10);
}
