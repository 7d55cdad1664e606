import type { Fault } from "@maturity/core";
import type Joi from "joi";
import sql, { type Sql } from "sql-template-tag";
import { timeParameter } from "./time.ts";

/** A period in ISO 8601; open where a field is absent. */
export interface Period {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The parameters of a period. */
export const periodParameters: Readonly<Record<keyof Period, Joi.StringSchema>> = {
  since: timeParameter.description(
    "Nothing from before this day or time, such as `2026-01-31` or `2026-01-31T12:00:00Z`",
  ),
  until: timeParameter.description("Nothing from after this day or time; a day stands for its first moment"),
};

/** The fault of a period whose end is before its start. */
export function periodFaults({ since, until }: Period): Fault[] {
  const isBackward = since !== undefined && until !== undefined && until < since;
  return isBackward ? [{ path: "until", message: "must not be before since" }] : [];
}

/** The conditions of a period on the column `at`, both ends included. */
export function during({ since, until }: Period): Sql[] {
  return [
    ...(since === undefined ? [] : [sql`at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`at <= ${until}::timestamptz`]),
  ];
}
