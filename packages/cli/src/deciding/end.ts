import { UsageError } from "@maturity/command-line/usage-error";
import { dayExists } from "@maturity/core/wire";

const dayMs = 86_400_000;
const units: Readonly<Record<string, number>> = { h: dayMs / 24, d: dayMs, w: 7 * dayMs };

/**
 * When a waiver ends, in ISO 8601: at the beginning of the day that `--until` names, in UTC, or so long from now as `--for`
 * says. Undefined without either.
 *
 * @param now milliseconds since 1970
 * @throws UsageError that names the flag
 */
export function endOf(until: unknown, lasting: unknown, now: number): string | undefined {
  if (until !== undefined && lasting !== undefined) throw new UsageError("give --until or --for, not both");
  if (until !== undefined) return untilOf(String(until), now);
  return lasting === undefined ? undefined : afterOf(String(lasting), now);
}

function untilOf(text: string, now: number): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = Date.parse(text);
  if (!(isDay || isTime) || Number.isNaN(time) || !dayExists(text.slice(0, 10))) {
    throw new UsageError("--until must be a day such as 2027-03-01, or a time such as 2027-03-01T12:00:00Z");
  }
  if (time <= now) throw new UsageError(`--until must be ahead of now, and ${text} is past`);
  return new Date(time).toISOString();
}

function afterOf(text: string, now: number): string {
  const [, count, unit = ""] = /^([1-9]\d{0,3})([hdw])$/.exec(text) ?? [];
  if (count === undefined) throw new UsageError("--for must be a time such as 12h, 30d or 8w");
  return new Date(now + Number(count) * (units[unit] ?? 0)).toISOString();
}
