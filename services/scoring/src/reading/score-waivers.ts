import type { Term } from "../lists/table.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { waiversByScope } from "../rollups/waivers.ts";
import type { Database } from "../store/database.ts";
import { storeError } from "../store/failures.ts";
import type { ScoreKey } from "../store/scores.ts";
import { now, type StoredWaiver, scoreWaivers, waiverColumns } from "../store/waivers.ts";

/** Whom waivers may cover; what is left out means all. */
type Names = Pick<TargetFilter, "area" | "team" | "app">;

/** The names of these applications. */
export function namesIn(apps: readonly Readonly<Record<keyof Names, string>>[]): Required<Names> {
  const every = (field: keyof Names) => [...new Set(apps.map((app) => app[field]))];
  return { area: every("area"), team: every("team"), app: every("app") };
}

/** The waivers of scores that may cover applications with these names, in force now; what lasts longest comes first. */
export async function readScoreWaivers(
  { lists }: Database,
  { area, team, app }: Names,
): Promise<readonly StoredWaiver[]> {
  const terms = Object.entries({ area, team, app }).flatMap(([column, values]) =>
    values ? [[`${column} IS NULL OR ${column} = ANY(?::text[])`, values] as const] : [],
  );
  const where = ["true", ...terms.map(([sql]) => `(${sql})`)];
  const { rows } = await lists
    .raw(
      `SELECT * FROM (${scoreWaivers(waiverColumns, now, where.join(" AND "))}) AS waivers
       ORDER BY expires_at DESC NULLS FIRST, id`,
      terms.map(([, values]) => values) as never,
    )
    .catch((error: unknown) => {
      throw storeError(error);
    });
  return rows;
}

/** Makes a function that tells whether one of these waivers waives a score. */
export function waivedBy(waivers: readonly StoredWaiver[]): (score: ScoreKey) => boolean {
  const waiversOf = waiversByScope(waivers);
  return (score) =>
    waiversOf(score).some(
      ({ scorecard, metric }) => scorecard === score.scorecard && (metric ?? score.metric) === score.metric,
    );
}

const fields = ["area", "team", "app", "env", "scorecard", "metric"] as const;

/**
 * The rows of `scores` that one of these waivers waives, or the others. Waivers that leave out the same fields are compared in
 * one list, so that a row costs no more where there are more of them.
 */
export function isWaived(waivers: readonly StoredWaiver[], wanted: boolean): Term {
  const namedBy = (waiver: StoredWaiver) => fields.filter((field) => waiver[field] !== null);
  const alike = Map.groupBy(waivers, (waiver) => namedBy(waiver).join(" || chr(9) || "));
  const isAny = [...alike.keys()].map((names) => `${names} = ANY(?::text[])`).join(" OR ") || "false";
  const lists = [...alike.values()].map((some) =>
    some.map((waiver) =>
      namedBy(waiver)
        .map((field) => waiver[field])
        .join("\t"),
    ),
  );
  return [`(${isAny}) = ?::boolean`, ...lists, wanted];
}
