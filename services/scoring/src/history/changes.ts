import { type Engine, type Evidence, rollUpApp, type Target } from "@maturity/core";
import { createSlices } from "../http/slices.ts";
import { invalidPayload } from "../model/errors.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import type { Database } from "../store/database.ts";
import { type Lines, readSnapshot, whereTarget } from "../store/lines.ts";
import { copyOf, indexAfter, inLines, separator, targetFieldsText } from "../store/text-rows.ts";

/** How the score of an application has changed since a day. */
export interface AppChange extends Target {
  /** At the first moment of the day; null if the application had no score then. */
  readonly score_since: number | null;
  readonly score: number;
  /** The difference; null if there is nothing to compare with. */
  readonly change: number | null;
  /** What each cause adds to the difference. */
  readonly causes: Readonly<Record<Cause, number>> | null;
}

/** `report`: other results; `rules`: other scorers or weights; `waiver` and `move` cannot happen yet. */
export const causes = ["report", "rules", "waiver", "move"] as const;

type Cause = (typeof causes)[number];

/** The changes of all applications that a filter leaves. */
export interface Changes {
  /** By the database's clock. */
  readonly asOf: Date;
  readonly apps: readonly AppChange[];
}

/** Which changes are read. */
export interface ChangesQuestion {
  /** A day in UTC; 30 days ago if absent. */
  readonly since: string | undefined;
  readonly filter: TargetFilter;
}

/** The day from which changes are counted if nobody says, in days before today. */
const defaultDays = 30;

/** What the database may use to group the changes of a whole organisation. With less it writes them to disk. */
const workMemory = "64MB";

/**
 * Compares each application with itself at the first moment of a day. The score of that day is the recorded roll-up, or
 * if there is none, the roll-up of the scores of that moment with today's weights. The rules account for the step from
 * there to the roll-up of those scores with today's weights and every later change by the rules; reports account for
 * the rest.
 *
 * @throws ServiceError `store-unavailable`; `invalid-payload` for a day in the future
 */
export function readChanges(database: Database, engine: Engine, question: ChangesQuestion): Promise<Changes> {
  return readSnapshot(database, database.reads, async (lines) => {
    await drain(lines(`SELECT set_config('work_mem', '${workMemory}', true)`));
    const { asOf, day } = await readMoment(lines, question.since);
    const recorded = await readRecorded(lines, day, question.filter);
    const apps: AppChange[] = [];
    const slice = createSlices();
    for (const [id, past] of await readScores(lines, engine, { day, filter: question.filter })) {
      await slice();
      const compared = compare(engine, past, recorded.get(id));
      if (!compared) continue;
      const [area = "", team = "", app = "", env = ""] = id.split(separator);
      apps.push({ area, team, app, env, ...compared });
    }
    return { asOf, apps };
  });
}

async function drain(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pieces);
}

async function readMoment(lines: Lines, since: string | undefined): Promise<{ asOf: Date; day: string }> {
  const today = "(clock_timestamp() AT TIME ZONE 'UTC')::date";
  const select = `SELECT (date_part('epoch', clock_timestamp()) * 1000)::bigint || E'\\t' || ${today} || E'\\t' ||
    (${today} - ${defaultDays})`;
  let text = "";
  for await (const rows of inLines(lines(select))) text += rows.join("");
  const [milliseconds, last = "", usual = ""] = text.split(separator);
  if (since !== undefined && since > last) {
    throw invalidPayload([{ path: "since", message: `must not be in the future; today is ${last} in UTC` }]);
  }
  return { asOf: new Date(Number(milliseconds)), day: since ?? usual };
}

/** The recorded roll-ups of applications. */
async function readRecorded(lines: Lines, day: string, filter: TargetFilter): Promise<Map<string, number>> {
  const where = whereTarget(filter) || "WHERE true";
  const select = `SELECT ${targetFieldsText} || E'\\t' || score FROM roll_up_days JOIN roll_up_targets ON id = target_id
    ${where} AND day = '${day}' AND app IS NOT NULL`;
  const found = new Map<string, number>();
  for await (const rows of inLines(lines(select))) {
    for (const row of rows) {
      const end = row.lastIndexOf(separator);
      found.set(row.slice(0, end), Number(row.slice(end + 1)));
    }
  }
  return found;
}

/** The scores of one application, in the order of the scorecards and their metrics. */
interface Compared {
  readonly now: (Evidence | undefined)[];
  /** At the first moment of the day. */
  readonly before: (Evidence | undefined)[];
  /** The same with every later change by the rules. */
  readonly byRules: (Evidence | undefined)[];
}

/**
 * The first change after the day holds the score of the day. It is found without sorting: its time in microseconds and
 * its score in hundredths are one number, of which the least is taken. 16,383 stands for no score.
 *
 * Of the scores of some areas, teams or applications, the changes are looked up by score. Of all others most rows are
 * needed, so they are read in the order of time, whosever they are. Sums are of whole hundredths: those of decimals take
 * a multiple of the time and memory.
 */
function scoresSince(day: string, filter: TargetFilter): string {
  const isNarrow = filter.area !== undefined || filter.team !== undefined || filter.app !== undefined;
  return `
    WITH wanted AS ${isNarrow ? "MATERIALIZED" : "NOT MATERIALIZED"} (SELECT * FROM scores ${whereTarget(filter)}),
    past AS (
      SELECT score_id,
        min(
          ((date_part('epoch', at) * 1000000)::bigint - ${Date.parse(day)}000) * 16384
            + coalesce((former * 100)::int, 16383)
        ) % 16384 AS score_then,
        sum(((score_changes.score - former) * 100)::int) FILTER (WHERE cause = 'rules') AS by_rules
      FROM score_changes ${isNarrow ? `JOIN wanted ON id = score_id AND changed_at > ${midnight(day)}` : ""}
      WHERE at > ${midnight(day)}
      GROUP BY score_id
    )
    SELECT ${targetFieldsText} || E'\\t' || scorecard || E'\\t' || metric || E'\\t' || score || E'\\t' ||
      coalesce((CASE
        WHEN changed_at <= ${midnight(day)} THEN (score * 100)::int
        WHEN score_id IS NULL THEN (former_score * 100)::int
        WHEN score_then < 16383 THEN score_then
      END)::text, '') || E'\\t' || coalesce(by_rules, 0)
    FROM wanted LEFT JOIN past ON score_id = id
  `;
}

function midnight(day: string): string {
  return `timestamptz '${day} 00:00:00Z'`;
}

async function readScores(
  lines: Lines,
  { scorecards }: Engine,
  { day, filter }: { readonly day: string; readonly filter: TargetFilter },
): Promise<Map<string, Compared>> {
  const metrics = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => name + separator + metric.name));
  const places = new Map(metrics.map((metric, place) => [metric, place]));
  const nothing = () => metrics.map(() => undefined);
  const found = new Map<string, Compared>();
  const slice = createSlices();
  for await (const rows of inLines(lines(scoresSince(day, filter)))) {
    await slice();
    for (const row of rows) {
      const endOfId = indexAfter(row, 4, 0);
      const endOfMetric = indexAfter(row, 2, endOfId + 1);
      const place = places.get(row.slice(endOfId + 1, endOfMetric));
      if (place === undefined) continue; // of a scorecard that is no longer registered
      const [now, then = "", byRules] = row.slice(endOfMetric + 1).split(separator);
      const id = row.slice(0, endOfId);
      let one = found.get(id);
      if (!one) {
        one = { now: nothing(), before: nothing(), byRules: nothing() };
        found.set(copyOf(id), one);
      }
      one.now[place] = evidence(Number(now));
      if (then === "") continue;
      one.before[place] = evidence(Number(then) / 100);
      one.byRules[place] = evidence((Number(then) + Number(byRules)) / 100);
    }
  }
  return found;
}

/** Its age makes no difference to a score. */
function evidence(score: number): Evidence {
  return { score, reported_at: 0 };
}

const anyTime = new Date(0);

function compare(
  { scorecards }: Engine,
  { now, before, byRules }: Compared,
  recorded: number | undefined,
): Omit<AppChange, keyof Target> | undefined {
  const [today, atMidnight, ruled] = [now, before, byRules].map(
    (scores) => rollUpApp(scorecards, scores, anyTime)?.score,
  );
  if (today === undefined) return undefined;
  const since = recorded ?? atMidnight;
  if (since === undefined) return { score_since: null, score: today, change: null, causes: null };
  const change = difference(today, since);
  const rules = difference(ruled ?? since, since);
  return {
    ...{ score_since: since, score: today, change },
    causes: { report: difference(change, rules), rules, waiver: 0, move: 0 },
  };
}

/** Without the noise of floating-point numbers, which would show a cause where there is none. */
function difference(one: number, other: number): number {
  return Math.round((one - other) * 1e9) / 1e9 + 0;
}
