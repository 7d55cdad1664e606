/**
 * SQL that does not depend on the session's time zone, as a bare cast between a date and a time would. Only this file
 * casts between the two.
 */

/** SQL of the day, in UTC, of a time. */
export function dayOf(time: string): string {
  return `((${time}) AT TIME ZONE 'UTC')::date`;
}

/** SQL of the first moment of a day, in UTC. */
export function firstMoment(day: string): string {
  return `((${day})::timestamp AT TIME ZONE 'UTC')`;
}

/** SQL of the first moment, in UTC, of the day that a text such as `2026-01-31` names. */
export function midnight(day: string): string {
  return firstMoment(`date '${day}'`);
}

/** SQL of a time as ISO 8601 in UTC, to the microsecond. */
export function isoTime(time: string): string {
  return `to_char((${time}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
