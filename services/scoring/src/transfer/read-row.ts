import Bourne from "@hapi/bourne";
import Joi from "joi";
import { faults, storedName as name, strict, text } from "../model/fields.ts";
import { labelSet } from "../model/label-set.ts";
import { clockToleranceS, maxAcceptedDays } from "../model/limits.ts";
import { problemBody } from "../model/problem.ts";
import { unstorable } from "../model/storable.ts";
import { unregistered, type WaivableScorecard, waiverKinds } from "../model/waiver.ts";
import { keyOf } from "../store/key.ts";
import { targetKey } from "../store/roll-up-days.ts";
import { changeCauses } from "../store/score-changes.ts";
import { ImportError } from "./import-error.ts";
import { type StageName, stageOf } from "./stages.ts";
import { states, type TableName, type TableRow, tableNames } from "./tables.ts";

/** Of a row only the first fault is told. */
const first: Joi.ValidationOptions = { ...strict, abortEarly: true };

const target = {
  area: name(200).required(),
  team: name(200).required(),
  app: name(200).required(),
  env: name(200).required(),
};

const time = Joi.string().custom((value: string, { message }) =>
  isTime(value) ? value : message({ custom: "must be a time in UTC, such as 2026-01-31T12:00:00.123456Z" }),
);

const day = Joi.string().custom((value: string, { message }) =>
  /^\d{4}-\d\d-\d\d$/.test(value) && isTime(`${value}T00:00:00Z`)
    ? value
    : message({ custom: "must be a day, such as 2026-01-31" }),
);

const stored = Joi.number().min(0).max(100).precision(2);
const average = Joi.number().min(0).max(100);
const share = Joi.number().min(0).max(1);
const cause = Joi.valid(...changeCauses);

const app = { area: target.area, team: target.team, app: target.app };

const registered = {
  owner: name(200),
  repo: name(2048),
  tier: name(200),
  labels: Joi.object().pattern(name(200), text(0, 1_000)),
};

const schemas: Readonly<Record<StageName, Joi.ObjectSchema>> = {
  scores: Joi.object({
    ...target,
    scorecard: name(200).required(),
    metric: name(200).required(),
    score: stored.required(),
    raw: Joi.object().required().unknown(),
    scorer: name(1000).required(),
    pipeline_id: name(200),
    project_repo: name(2048),
    reported_at: time.required(),
    changed_at: time,
    former_score: stored,
    changed_by: cause.when("changed_at", { not: Joi.exist(), otherwise: Joi.required() }),
  })
    .with("former_score", "changed_at")
    .with("changed_by", "changed_at")
    .prefs(first),
  problems: (problemBody as Joi.ObjectSchema)
    .keys({ ...target, problem_type: name(200).required(), chat_channel: name(200) })
    .keys({ opened_at: time, reported_at: time.required() })
    .prefs(first),
  score_changes: Joi.object({
    ...target,
    scorecard: name(200).required(),
    metric: name(200).required(),
    at: time.required(),
    former: stored,
    score: stored.required(),
    scorer: name(1000).required(),
    cause: cause.required(),
  }).prefs(first),
  roll_up_days: Joi.object({
    area: target.area,
    team: name(200).when("app", { not: Joi.exist(), otherwise: Joi.required() }),
    app: name(200),
    env: target.env,
    day: day.required(),
    count: Joi.number().integer().min(1).max(2_147_483_647),
    score: average.required(),
    coverage: share.required(),
    fresh_coverage: share,
    lowest: average,
    weights: Joi.number().integer().min(-2_147_483_648).max(2_147_483_647),
    waived: share,
  }).prefs(first),
  waivers: Joi.object({
    id: Joi.string()
      .pattern(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
      .required(),
    kind: Joi.valid(...waiverKinds).required(),
    area: target.area,
    team: name(200).when("app", { not: Joi.exist(), otherwise: Joi.required() }),
    app: name(200).when("env", { not: Joi.exist(), otherwise: Joi.required() }),
    env: name(200),
    scorecard: name(200).when("metric", { not: Joi.exist(), otherwise: Joi.required() }),
    metric: name(200),
    problem_type: name(200),
    reason: name(1000).required(),
    owner: name(200).required(),
    created_at: time.required(),
    created_by: name(2048).required(),
    expires_at: time,
    revoked_at: time,
    revoked_by: name(2048),
  })
    .xor("scorecard", "problem_type")
    .and("revoked_at", "revoked_by")
    .prefs(first),
  apps: Joi.object({ ...app, ...registered, registered_at: time.required() })
    .fork("labels", (labels) => labels.required())
    .prefs(first),
  app_aliases: Joi.object({
    area: target.area,
    team: name(200).when("app", { not: Joi.exist(), otherwise: Joi.required() }),
    app: name(200),
    to_area: target.area,
    to_team: name(200),
    to_app: name(200),
    moved_at: time.required(),
    used_at: time,
  })
    .and("team", "to_team")
    .and("app", "to_app")
    .custom((value, { message }) => (isSameAlias(value) ? message({ custom: "must differ from the new name" }) : value))
    .messages({ "object.and": "must have the same depth as the new name" })
    .prefs(first),
  retired_apps: Joi.object({
    ...app,
    ...registered,
    reason: text(1, 2_000).required(),
    retired_at: time.required(),
    registered_at: time,
  })
    .and("labels", "registered_at")
    .prefs(first),
};

function isSameAlias({ area, team, app, to_area, to_team, to_app }: Readonly<Record<string, string>>): boolean {
  return area === to_area && team === to_team && app === to_app;
}

/** The fields that must not be later than the database's clock. */
const times = [
  ...["reported_at", "opened_at", "changed_at", "at", "day", "created_at", "revoked_at"],
  ...["registered_at", "moved_at", "used_at", "retired_at"],
];

/**
 * Reads a line of an import into a row with all columns.
 *
 * @param number of the line, from 1
 * @param latest gives the latest time that the row may have, in milliseconds since 1970. A later one would stay for good:
 * `reported_at` never goes back
 * @returns the row, and where it is collected
 * @throws ImportError
 */
export function readRow(line: string, number: number, latest: () => number): { stage: StageName; row: TableRow } {
  const refuse = (fault: string) => new ImportError(number, fault);
  const value = parse(line);
  if (!isRow(value)) throw refuse("is not a JSON object");
  const { table, ...fields } = value;
  if (!isTableName(table)) throw refuse(`table must be ${tableList}`);
  const stage = stageOf(table);
  const { value: row, error } = schemas[stage].validate(fields);
  const [fault] = error ? faults(error) : [unstorable(row.raw, "raw")];
  if (fault) throw refuse(`${fault.path} ${fault.message}`.trimStart());
  const early = times.find((field) => Date.parse(row[field]) > latest());
  if (early) throw refuse(`${early} is more than ${clockToleranceS} s ahead of the database's clock`);
  if (row.changed_at > row.reported_at && row.changed_by === "report")
    throw refuse("changed_at must not be later than reported_at");
  if (stage === "problems") {
    if (row.count > 0 !== "opened_at" in row)
      throw refuse("opened_at must be there while count is above 0, and only then");
    row.severity = row.severity.toLowerCase();
  }
  return { stage, row: { ...row, ...made(stage, row), ...(stage in states && { retired: table !== stage }) } };
}

/**
 * Checks that a request could have made a waiver, by the rules of the moment of its making. What is registered is known of
 * this moment alone, so it counts for a waiver that is in force.
 *
 * @param now gives the time in milliseconds since 1970
 * @throws ImportError
 */
export function requireMakeable(
  row: TableRow,
  number: number,
  { scorecards, now }: { readonly scorecards: readonly WaivableScorecard[]; now(): number },
): void {
  const waiver = row as Readonly<Record<string, string>>;
  const fault = faultOfWaiver(waiver);
  if (fault) throw new ImportError(number, fault);
  const { expires_at, revoked_at } = waiver;
  const isOver = revoked_at !== undefined || (expires_at !== undefined && Date.parse(expires_at) <= now());
  const unknown = isOver ? undefined : unregistered(scorecards, waiver);
  if (unknown)
    throw new ImportError(
      number,
      `${unknown.message}; name its package in SCORECARDS, or revoke the waiver and export again`,
    );
}

function faultOfWaiver({
  kind,
  created_at,
  expires_at,
  revoked_at,
}: Readonly<Record<string, string>>): string | undefined {
  const made = Date.parse(created_at ?? "");
  const end = expires_at === undefined ? undefined : Date.parse(expires_at);
  if (kind === "accepted" && end === undefined) return "expires_at is required of what is accepted";
  if (end !== undefined && end <= made) return "expires_at must be later than created_at";
  if (kind === "accepted" && Number(end) > made + maxAcceptedDays * 86_400_000)
    return `expires_at of what is accepted must be at most ${maxAcceptedDays} days after created_at`;
  if (revoked_at !== undefined && Date.parse(revoked_at) < made)
    return "revoked_at must not be earlier than created_at";
  return undefined;
}

const tableList = `${tableNames
  .slice(0, -1)
  .map((table) => `"${table}"`)
  .join(", ")} or "${tableNames.at(-1)}"`;

function isTableName(value: unknown): value is TableName {
  return (tableNames as readonly unknown[]).includes(value);
}

/** The columns that are made of the others. */
function made(stage: StageName, row: Readonly<Record<string, string>>): TableRow {
  const pick = (names: readonly string[]) => names.map((name) => [name, row[name]] as [string, string]);
  const key = (names: readonly string[]) => keyOf(pick(names).map(([, name]) => name));
  switch (stage) {
    case "scores":
    case "problems":
      return { key: key(states[stage].key), labels: labelSet(Object.fromEntries(pick(states[stage].labels))) };
    case "score_changes":
      return { key: key(states.scores.key) };
    case "roll_up_days": {
      const { area = "", team, app, env = "" } = row;
      return { key: targetKey({ area, team, app, env }) };
    }
    case "app_aliases": {
      const { team = "", app = "", to_team = "", to_app = "" } = row;
      return { team, app, to_team, to_app };
    }
    default:
      return {};
  }
}

function isRow(value: unknown): value is TableRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(line: string): unknown {
  try {
    return Bourne.parse(line);
  } catch {
    return undefined;
  }
}

/** A moment that exists, in UTC, with up to six decimals of a second. */
function isTime(text: string): boolean {
  const [, seconds] = /^([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,6})?Z$/.exec(text) ?? [];
  if (seconds === undefined) return false;
  const date = new Date(`${seconds}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds);
}
