/**
 * SQL that does not depend on the session's time zone, as a bare cast between a date and a time would. Only this file
 * casts between the two.
 */

import sql, { type Sql } from "sql-template-tag";

/** SQL of the day, in UTC, of a time. */
export function dayOf(time: string): string {
  return `((${time}) AT TIME ZONE 'UTC')::date`;
}

/** SQL of the first moment of a day, in UTC. */
export function firstMoment(day: string): string {
  return `((${day})::timestamp AT TIME ZONE 'UTC')`;
}

/** SQL of a day such as `2026-01-31`, which becomes a parameter. */
export function asDay(day: string | null): Sql {
  return sql`${day}::date`;
}

/** SQL of the first moment, in UTC, of such a day. */
export function startOfDay(day: string): Sql {
  return sql`((${asDay(day)})::timestamp AT TIME ZONE 'UTC')`;
}

/** SQL of the first moment, in UTC, of the day that a text such as `2026-01-31` names. */
export function midnight(day: string): string {
  return firstMoment(`date '${day}'`);
}

/** A SELECT of each day, in UTC, that begins from one time on and before another, and is no later than a last one. */
export function daysThrough(from: string, until: string, last: string): string {
  const first = `${dayOf(from)}::timestamp`;
  return `SELECT moment::date AS day
    FROM generate_series(${first}, least(${dayOf(until)}, ${last})::timestamp, '1 day') AS moment
    WHERE ${firstMoment("moment::date")} >= ${from} AND ${firstMoment("moment::date")} < ${until}`;
}

/** SQL of the day on which the week of a time begins in UTC, a Monday. */
export function mondayOf(time: string): string {
  return `date_trunc('week', (${time}) AT TIME ZONE 'UTC')::date`;
}

/** SQL of the microseconds from 1970 to a time. */
export function microsOf(time: string): string {
  return `(extract(epoch FROM ${time}) * 1000000)::bigint`;
}

/** SQL of the milliseconds from 1970 to a time. */
export function millisOf(time: string): string {
  return `(extract(epoch FROM ${time}) * 1000)::bigint`;
}

/** SQL of the time so many microseconds after 1970. */
export function timeOfMicros(micros: string): string {
  return `to_timestamp(0) + ${micros} * interval '1 microsecond'`;
}

/** SQL of a time as ISO 8601 in UTC, to the microsecond. */
export function isoTime(time: string): string {
  return `to_char((${time}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
