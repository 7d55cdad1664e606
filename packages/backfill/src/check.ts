import { isDeepStrictEqual } from "node:util";
import type { Scorecard } from "@maturity/core";
import { createCheck } from "@maturity/report-files/submission-check";
import type { PastResult, PastResults } from "./past-result.ts";

/** How long a service keeps its history if nothing else is set, in days. */
const usualDays = 400;

/**
 * Leaves out what was measured before a time, finds on this machine what the service would refuse of the rest, and puts it
 * into the order of its times. Of two results of one key and time that differ, the second is wrong. Whether values fit
 * metrics of other scorecards than these is left to the service.
 *
 * @param since milliseconds since 1970, as `now`
 */
export async function checked(
  { results, faults, notes }: PastResults,
  scorecards: readonly Scorecard[],
  { now, since = 0 }: { readonly now: number; readonly since?: number | undefined },
): Promise<PastResults> {
  const check = await createCheck(scorecards);
  const here = new Set(scorecards.map(({ name }) => name));
  const good: PastResult[] = [];
  const wrong = [...faults];
  const unknown = new Set<string>();
  const seen = new Map<string, PastResult>();
  const dated = results.map((result) => ({ result, at: Date.parse(result.submission.measured_at) }));
  for (const { result } of dated.filter(({ at }) => at >= since).sort((one, other) => one.at - other.at)) {
    const { submission } = result;
    const { area, team, app, env, scorecard, metric, raw, measured_at } = submission;
    if (!here.has(scorecard)) unknown.add(scorecard);
    const fault = check(submission);
    if (fault !== undefined) {
      wrong.push({ path: result.place, message: fault });
      continue;
    }
    const key = JSON.stringify([area, team, app, env, scorecard, metric, Date.parse(measured_at)]);
    const other = seen.get(key) ?? result;
    seen.set(key, other);
    if (!isDeepStrictEqual(other.submission.raw, raw)) {
      const message = `is of the same metric and time as ${other.place}, with other values; only one of both can be right`;
      wrong.push({ path: result.place, message });
      continue;
    }
    good.push(result);
  }
  const old = dated.filter(({ at }) => at >= since && at < now - usualDays * 86_400_000).length;
  return {
    results: good,
    faults: wrong.sort((one, other) => one.path.localeCompare(other.path, "en", { numeric: true })),
    notes: [
      ...notes,
      ...[...unknown].map(
        (name) => `the scorecard ${name} is not on this machine, so only the service checks its values`,
      ),
      ...(old === 0
        ? []
        : [`${old} are older than ${usualDays} days: the service takes them only with more HISTORY_DAYS`]),
    ],
  };
}
