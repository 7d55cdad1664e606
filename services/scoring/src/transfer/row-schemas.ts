import Joi from "joi";
import { storedName as name, strict, text } from "../model/fields.ts";
import { problemBody } from "../model/problem.ts";
import { waiverKinds } from "../model/waiver.ts";
import { changeCauses } from "../store/score-changes.ts";

/** What an export carries, each a `table` of its lines, in the order of an export: what is retired comes before what is stored of it. */
export const tableNames = [
  "apps",
  "retired_envs",
  "former_names",
  "scores",
  "problems",
  "score_changes",
  "roll_up_days",
  "waivers",
] as const;

export type TableName = (typeof tableNames)[number];

/** Of a row only the first fault is told. */
const first: Joi.ValidationOptions = { ...strict, abortEarly: true };

const app = { area: name(200).required(), team: name(200).required(), app: name(200).required() };
const target = { ...app, env: name(200).required() };
const score = { ...target, scorecard: name(200).required(), metric: name(200).required() };

/** Names of which those behind the first may be left out, from the last one on. */
const subtree = {
  area: app.area,
  team: name(200).when("app", { not: Joi.exist(), otherwise: Joi.required() }),
  app: name(200),
};

const time = Joi.string().custom((value: string, { message }) =>
  isTime(value) ? value : message({ custom: "must be a time in UTC, such as 2026-01-31T12:00:00.123456Z" }),
);

const day = Joi.string().custom((value: string, { message }) =>
  /^\d{4}-\d\d-\d\d$/.test(value) && isTime(`${value}T00:00:00Z`)
    ? value
    : message({ custom: "must be a day, such as 2026-01-31" }),
);

/** A moment that exists, in UTC, with up to six decimals of a second. */
function isTime(text: string): boolean {
  const [, seconds] = /^([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,6})?Z$/.exec(text) ?? [];
  if (seconds === undefined) return false;
  const date = new Date(`${seconds}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds);
}

const stored = Joi.number().min(0).max(100).precision(2);
const average = Joi.number().min(0).max(100);
const share = Joi.number().min(0).max(1);
const cause = Joi.valid(...changeCauses).required();

const registered = {
  owner: name(200),
  repo: name(2048),
  tier: name(200),
  labels: Joi.object().pattern(name(200), text(0, 1_000)),
};

const retired = { retired_at: time, reason: text(1, 2_000) };

const scores = {
  ...score,
  score: stored.required(),
  raw: Joi.object().required().unknown(),
  scorer: name(1000).required(),
  pipeline_id: name(200),
  project_repo: name(2048),
  reported_at: time.required(),
  changed_at: time.required(),
  former_score: stored,
  changed_by: cause,
};

const problems = {
  ...target,
  problem_type: name(200).required(),
  ...Object.fromEntries(["severity", "count", "details"].map((field) => [field, problemBody.extract(field)])),
  chat_channel: name(200),
  opened_at: time,
  reported_at: time.required(),
};

/** The columns that an export carries of each table, and what an import takes in them. */
export const rowFields: Readonly<Record<TableName, Readonly<Record<string, Joi.Schema>>>> = {
  scores,
  problems,
  score_changes: {
    ...score,
    at: time.required(),
    former: stored,
    score: stored.required(),
    scorer: name(1000).required(),
    cause,
  },
  roll_up_days: {
    ...subtree,
    env: target.env,
    day: day.required(),
    count: Joi.number().integer().min(1).max(2_147_483_647),
    score: average.required(),
    coverage: share.required(),
    fresh_coverage: share,
    lowest: average,
    weights: Joi.number().integer().min(-2_147_483_648).max(2_147_483_647),
    waived: share,
  },
  waivers: {
    id: Joi.string()
      .pattern(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
      .required(),
    kind: Joi.valid(...waiverKinds).required(),
    ...subtree,
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
  },
  apps: { ...app, ...registered, registered_at: time, ...retired },
  retired_envs: { ...target, retired_at: retired.retired_at.required(), reason: retired.reason.required() },
  former_names: {
    ...subtree,
    to_area: app.area,
    to_team: name(200),
    to_app: name(200),
    moved_at: time.required(),
    used_at: time,
  },
};

/** How the columns of a row go together. */
const rules: Readonly<Partial<Record<TableName, (schema: Joi.ObjectSchema) => Joi.ObjectSchema>>> = {
  waivers: (schema) => schema.xor("scorecard", "problem_type").and("revoked_at", "revoked_by"),
  former_names: (schema) =>
    schema
      .and("team", "to_team")
      .and("app", "to_app")
      .custom((value, { message }) =>
        isSameName(value) ? message({ custom: "must differ from the new name" }) : value,
      )
      .messages({ "object.and": "must have the same depth as the new name" }),
  apps: (schema) => schema.or("registered_at", "retired_at").and("labels", "registered_at").and("retired_at", "reason"),
};

function isSameName({ area, team, app, to_area, to_team, to_app }: Readonly<Record<string, string>>): boolean {
  return area === to_area && team === to_team && app === to_app;
}

/** By what a line of an import is checked. */
export const rowSchemas: Readonly<Record<TableName, Joi.ObjectSchema>> = Object.fromEntries(
  tableNames.map((table) => {
    const schema = Joi.object(rowFields[table]);
    return [table, (rules[table]?.(schema) ?? schema).prefs(first)];
  }),
) as Record<TableName, Joi.ObjectSchema>;
