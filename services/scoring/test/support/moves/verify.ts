import { type AppName, appKey, isSameName } from "../../../src/model/app-name.ts";
import { labelSet } from "../../../src/model/label-set.ts";
import { query } from "../postgres.ts";
import { isFormer, type NamesModel, range } from "./model.ts";
import { countOf, type Report } from "./reporters.ts";

interface Row extends AppName {
  readonly env: string;
  readonly is_retired: boolean;
  /** The first half of a label set. */
  readonly labels: string;
}

interface ScoreRow extends Row {
  readonly id: string;
  readonly score: number;
  readonly reported_at: string;
}

interface ProblemRow extends Row {
  readonly count: number;
  readonly serial: number;
  readonly at: Date;
  readonly opened_at: Date | null;
}

/** A change of a score as it is recorded. */
interface Line {
  readonly id: string;
  readonly at: string;
  readonly ms: Date;
  readonly score: number;
}

/** What is stored of all applications, the retired ones too. */
const named = (table: string) =>
  `${table} JOIN targets ON targets.id = target_id JOIN applications ON applications.id = application_id`;

/** The columns of a `Row`. */
const columns = "area, team, app, env, applications.retired_at IS NOT NULL AS is_retired, targets.labels";

/** Identifies a score. */
const scoreId = "target_id || ' ' || metric_id AS id";

/** What is wrong with what the database holds after all actions and reports: nothing is, if the list is empty. */
export async function faultsOfMoves(
  databaseUrl: string,
  model: NamesModel,
  reports: readonly Report[],
): Promise<string[]> {
  const scores = reports.filter(({ kind }) => kind === "score");
  const problems = reports.filter(({ kind }) => kind === "problem");
  return [
    ...reports
      .filter(isMisplaced)
      .map(
        (report) =>
          `${said(report)} was acknowledged under ${appKey(report.name)}, and is of ${namesOf(report).map(appKey).join(" or ") || "what was retired"}`,
      ),
    ...(await faultsOfScores()),
    ...(await faultsOfProblems()),
    ...(await faultsOfLines(databaseUrl)),
    ...(await faultsOfNames(databaseUrl)),
  ];

  /** The names that its own led to while it was under way. */
  function namesOf({ sent, from, to }: Report): AppName[] {
    const names = range(from, Math.min(to, model.actions.length)).flatMap((moment) =>
      model.names(sent, moment).filter((name) => !model.isRetired(name, moment)),
    );
    return [...new Map(names.map((name) => [appKey(name), name])).values()];
  }

  /** Was it acknowledged under a name that its own led to at no moment meanwhile? */
  function isMisplaced(report: Report): boolean {
    return report.outcome === "acknowledged" && !namesOf(report).some((name) => isSameName(name, report.name));
  }

  /** Is this where a report is now if it was stored and is the newest? */
  function isPlaceOf(place: string, report: Report): boolean {
    const names = report.outcome === "acknowledged" ? [report.name] : namesOf(report);
    return names.some((name) => placeOf({ ...model.current(name), env: report.env }) === place);
  }

  async function faultsOfScores(): Promise<string[]> {
    const { rows }: { rows: ScoreRow[] } = await query(
      databaseUrl,
      `SELECT ${columns}, ${scoreId}, score::float8, reported_at::text FROM ${named("scores")}`,
    );
    const { rows: lines }: { rows: Line[] } = await query(
      databaseUrl,
      `SELECT ${scoreId}, at::text, at AS ms, score::float8 FROM score_changes WHERE cause = 'report' ORDER BY at`,
    );
    const rowById = new Map(rows.map((row) => [row.id, row]));
    const linesBySerial = Map.groupBy(lines, ({ score }) => Math.round(100 * score));
    const linesById = Map.groupBy(lines, ({ id }) => id);
    const bySerial = new Map(scores.map((report) => [report.serial, report]));
    const sameMoment = new Set(lines.map(({ id, ms }) => `${id} ${ms.getTime()}`));

    const ofReports = scores.flatMap((report) => {
      const found = linesBySerial.get(report.serial) ?? [];
      if (found.length > 1) return [`${said(report)} is recorded ${found.length} times`];
      const [line] = found;
      if (!line) return report.outcome === "acknowledged" && !isShadowed(report) ? [`${said(report)} is lost`] : [];
      if (report.outcome === "refused") return [`${said(report)} was refused and is recorded`];
      const row = rowById.get(line.id);
      if (!row || !isPlaceOf(placeOf(row), report)) return [`${said(report)} is recorded under ${row && appKey(row)}`];
      return [];
    });

    /** Of two reports of the same moment, one under each of two names that became one, the merge keeps one. */
    function isShadowed(report: Report): boolean {
      return rows.some((row) => isPlaceOf(placeOf(row), report) && sameMoment.has(`${row.id} ${report.at}`));
    }

    const ofRows = rows.flatMap((row) => {
      const newest = linesById.get(row.id)?.at(-1);
      const isNewest = newest?.score === row.score && newest.at === row.reported_at;
      return [
        ...faultsOfRow(row),
        ...(isNewest
          ? []
          : [
              `${placeOf(row)} holds ${row.score} of ${row.reported_at}, and ${newest?.score} of ${newest?.at} is the newest`,
            ]),
      ];
    });
    const unknown = [...linesBySerial.keys()]
      .filter((serial) => !bySerial.has(serial))
      .map((serial) => `${serial} was never sent`);
    const orphans = lines
      .filter(({ id }) => !rowById.has(id))
      .map(({ score }) => `the change to ${score} is of no score`);
    return [...ofReports, ...ofRows, ...twice(rows), ...unknown, ...orphans];
  }

  async function faultsOfProblems(): Promise<string[]> {
    const { rows }: { rows: ProblemRow[] } = await query(
      databaseUrl,
      `SELECT ${columns}, count, substr(chat_channel, 2)::int AS serial, reported_at AS at, opened_at
       FROM ${named("problems")}`,
    );
    const rowByPlace = new Map(rows.map((row) => [placeOf(row), row]));
    const bySerial = new Map(problems.map((report) => [report.serial, report]));
    const ofReports = problems.flatMap((report) => {
      if (report.outcome !== "acknowledged") return [];
      const place = placeOf({ ...model.current(report.name), env: report.env });
      const isKept = (rowByPlace.get(place)?.at.getTime() ?? 0) >= report.at;
      return isKept ? [] : [`${said(report)} is lost`];
    });
    const ofRows = rows.flatMap((row) => {
      const report = bySerial.get(row.serial);
      const isRight = report && report.outcome !== "refused" && isPlaceOf(placeOf(row), report);
      const isOpen = row.count > 0;
      return [
        ...faultsOfRow(row),
        ...(isRight ? [] : [`${placeOf(row)} holds the problem ${row.serial}`]),
        ...(row.count === countOf(row.serial) && isOpen === (row.opened_at !== null)
          ? []
          : [`${placeOf(row)} is half a problem`]),
      ];
    });
    return [...ofReports, ...ofRows, ...twice(rows)];
  }

  function faultsOfRow(row: Row): string[] {
    const { area, team, app, env, labels } = row;
    return [
      ...(isFormer(model, row) ? [`${placeOf(row)} is left under a former name`] : []),
      ...(model.isRetired(row) === row.is_retired ? [] : [`${placeOf(row)} is ${row.is_retired ? "" : "not "}retired`]),
      ...(`${labels}}` === labelSet({ area, team, app, env }) ? [] : [`${placeOf(row)} has the labels ${labels}`]),
    ];
  }
}

function said({ kind, serial, sent, env, outcome, from, to }: Report): string {
  return `${outcome} ${kind} ${serial} of ${placeOf({ ...sent, env })} (${from} to ${to})`;
}

function placeOf({ area, team, app, env }: AppName & { readonly env: string }): string {
  return `${area}/${team}/${app}/${env}`;
}

function twice(rows: readonly Row[]): string[] {
  return [...Map.groupBy(rows, placeOf)]
    .filter(([, found]) => found.length > 1)
    .map(([place]) => `${place} is there twice`);
}

/** Each change follows from the one before, and the last one is what the score says of itself. */
async function faultsOfLines(databaseUrl: string): Promise<string[]> {
  const { rows } = await query(
    databaseUrl,
    `
    WITH line AS (
      SELECT target_id, metric_id, at, former, score, lag(score) OVER own AS before, lead(at) OVER own IS NULL AS is_last
      FROM score_changes WINDOW own AS (PARTITION BY target_id, metric_id ORDER BY at)
    )
    SELECT ${scoreId}, at::text FROM line LEFT JOIN scores USING (target_id, metric_id)
    WHERE former IS DISTINCT FROM before OR reported_at IS NULL
      OR (is_last AND (line.score, at, former) IS DISTINCT FROM (scores.score, changed_at, former_score))
    `,
  );
  return rows.map(({ id, at }) => `the change of score ${id} at ${at} does not fit in`);
}

/** An application is found by its name, which is no former one, and nothing is left of those that were merged. */
async function faultsOfNames(databaseUrl: string): Promise<string[]> {
  const { rows } = await query(
    databaseUrl,
    `
    SELECT area, team, app FROM applications
    WHERE NOT EXISTS (
      SELECT FROM names
      WHERE (names.area, names.team, names.app, application_id) = (applications.area, applications.team, applications.app, id)
    ) OR EXISTS (
      SELECT FROM former_groups
      WHERE former_groups.area = applications.area AND former_groups.team IN ('', applications.team)
    ) OR NOT EXISTS (SELECT FROM targets WHERE application_id = applications.id)
    `,
  );
  return rows.map((name) => `${appKey(name)} has not its name, or nothing`);
}
