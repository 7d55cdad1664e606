import { severities, targetFields } from "@maturity/core/wire";
import Joi from "joi";
import { goalFaults, type NewCampaign, newCampaign } from "../model/campaign.ts";
import { dayParameter } from "../model/day.ts";
import { storedName as name, strict, text, withRule } from "../model/fields.ts";
import { problemBody } from "../model/problem.ts";
import { evidence, waiverKinds } from "../model/waiver.ts";
import { notices } from "../store/campaigns.ts";
import type { Reported } from "../store/new-score.ts";
import { changeCauses } from "../store/score-changes.ts";
import { decisions } from "../store/waiver-changes.ts";
import { campaignsByArea } from "./campaign-areas.ts";
import { day, past, time } from "./times.ts";

/** A row: its values by column. */
export type Row = Readonly<Record<string, unknown>>;

/** The values of `table`, in the order of an export: retired applications and environments come before their data. */
export const tableNames = [
  "apps",
  "retired_envs",
  "former_names",
  "scores",
  "problems",
  "score_changes",
  "score_confirmations",
  "roll_up_days",
  "roll_ups_again",
  "waivers",
  "campaigns",
  "campaign_members",
  "campaign_days",
] as const;

export type TableName = (typeof tableNames)[number];

/** One kind of line. */
interface Kind {
  /** SQL after FROM that the rows are read from, with names in place of ids. */
  readonly source: string;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** All columns, with the schemas that an import checks. */
  readonly columns: Readonly<Record<string, Joi.Schema>>;
  /** Adds the rules between columns. */
  readonly rule?: (row: Joi.ObjectSchema) => Joi.ObjectSchema;
}

const app = { area: name(200).required(), team: name(200).required(), app: name(200).required() };
const target = { ...app, env: name(200).required() };
const score = { ...target, scorecard: name(200).required(), metric: name(200).required() };

/** The name of an application, team or area: `app`, or `team` and `app`, may be absent. */
const subtree = {
  area: app.area,
  team: name(200).when("app", { not: Joi.exist(), otherwise: Joi.required() }),
  app: name(200),
};

/** The id of a waiver, as the database shows it. */
const id = Joi.string().pattern(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);

const storedScore = Joi.number().min(0).max(100).precision(2);
const average = Joi.number().min(0).max(100);
const share = Joi.number().min(0).max(1);
const int = Joi.number().integer();
const maxInt = 2_147_483_647;

const reported: Readonly<Record<keyof Reported, Joi.Schema>> = {
  score: storedScore.required(),
  raw: Joi.object().required().unknown(),
  scorer: name(1000).required(),
  pipeline_id: name(200),
  project_repo: name(2048),
};

const ofTarget = "JOIN targets ON targets.id = target_id JOIN applications ON applications.id = application_id";
const ofMetric = "JOIN metrics ON metrics.id = metric_id";
const appKey = ["area", "team", "app"];
const scoreKey = [...targetFields, "scorecard", "metric"];

/** All kinds of lines. */
export const kinds: Readonly<Record<TableName, Kind>> = {
  apps: {
    source: `(
      SELECT *, retired_because AS reason FROM applications
      WHERE registered_at IS NOT NULL OR held_since IS NOT NULL OR retired_at IS NOT NULL
    ) AS apps`,
    key: appKey,
    columns: {
      ...{ ...app, owner: name(200), repo: name(2048), tier: name(200) },
      labels: Joi.object().pattern(name(200), text(0, 1_000)),
      ...{ registered_at: past, held_since: past, retired_at: past, reason: text(1, 2_000) },
    },
    rule: (row) =>
      row
        .or("registered_at", "held_since", "retired_at")
        .and("labels", "registered_at")
        .without("held_since", "registered_at")
        .and("retired_at", "reason"),
  },
  retired_envs: {
    source: `(
      SELECT area, team, app, env, targets.retired_at, targets.retired_because AS reason
      FROM targets JOIN applications ON applications.id = application_id
      WHERE targets.retired_at IS NOT NULL
    ) AS retired_envs`,
    key: targetFields,
    columns: { ...target, retired_at: past.required(), reason: text(1, 2_000).required() },
  },
  former_names: {
    source: `(
      SELECT names.area, names.team, names.app, applications.area AS to_area, applications.team AS to_team,
        applications.app AS to_app, since AS moved_at, used_at
      FROM names JOIN applications ON id = application_id
      WHERE (names.area, names.team, names.app) <> (applications.area, applications.team, applications.app)
      UNION ALL
      SELECT area, team, '', to_area, to_team, '', moved_at, NULL FROM former_groups
    ) AS former_names`,
    key: appKey,
    columns: {
      ...{ ...subtree, to_area: app.area, to_team: name(200), to_app: name(200) },
      ...{ moved_at: past.required(), used_at: past },
    },
    rule: (row) =>
      withRule(
        row
          .and("team", "to_team")
          .and("app", "to_app")
          .messages({ "object.and": "must have the same depth as the new name" }),
        ({ area, team, app, to_area, to_team, to_app }: Readonly<Record<string, string>>) =>
          area === to_area && team === to_team && app === to_app ? "must differ from the new name" : undefined,
      ),
  },
  scores: {
    source: `scores ${ofMetric} ${ofTarget}`,
    key: scoreKey,
    columns: {
      ...{ ...score, ...reported, reported_at: past.required(), measured_at: past, changed_at: past.required() },
      ...{ former_at: past, former_score: storedScore, changed_by: Joi.valid(...changeCauses).required() },
    },
    rule: (row) =>
      withRule(row, ({ changed_at = "", reported_at = "", changed_by }: Readonly<Record<string, string>>) =>
        changed_by === "report" && changed_at > reported_at
          ? "changed_at must not be later than reported_at"
          : undefined,
      ),
  },
  problems: {
    source: `problems ${ofTarget}`,
    key: [...targetFields, "problem_type"],
    columns: {
      ...{ ...target, problem_type: name(200).required() },
      ...Object.fromEntries(["severity", "count", "details"].map((field) => [field, problemBody.extract(field)])),
      ...{ chat_channel: name(200), opened_at: past, reported_at: past.required(), measured_at: past },
      past_openings: Joi.array()
        .items(
          Joi.object({
            ...{ opened_at: past.required(), resolved_at: past.required() },
            severity: Joi.valid(...severities).required(),
          }),
        )
        .min(1)
        .max(200),
    },
    rule: (row) =>
      withRule(row, ({ count, opened_at }: { count: number; opened_at?: string }) =>
        count > 0 !== (opened_at !== undefined)
          ? "opened_at is required while count is above 0, and not allowed otherwise"
          : undefined,
      ).custom((row) => ({ ...row, severity: row.severity.toLowerCase() })),
  },
  score_changes: {
    source: `score_changes ${ofMetric} ${ofTarget}`,
    key: [...scoreKey, "at"],
    columns: {
      ...{
        ...score,
        at: past.required(),
        former_at: past,
        former: storedScore,
        score: storedScore.required(),
        scorer: name(1000).required(),
      },
      cause: Joi.valid(...changeCauses).required(),
    },
  },
  score_confirmations: {
    source: `score_confirmations ${ofMetric} ${ofTarget}`,
    key: [...scoreKey, "at"],
    columns: { ...score, at: past.required() },
  },
  roll_up_days: {
    source: `roll_up_days JOIN (
      SELECT id, area, team, app, env FROM roll_up_targets_by_name
    ) AS named ON named.id = target_id`,
    key: [...targetFields, "day"],
    columns: {
      ...{ ...subtree, env: target.env, day: day.required(), count: int.min(1).max(maxInt), score: average.required() },
      ...{ reported: share.required(), fresh: share, lowest: average, waived: share, exempt: share },
      exempt_metrics: text(1, 100_000),
      weights: int.min(-maxInt - 1).max(maxInt),
    },
  },
  roll_ups_again: {
    source: `roll_ups_again ${ofTarget}`,
    key: [...targetFields, "day"],
    columns: { ...target, day: day.required() },
  },
  waivers: {
    source: "waivers_by_name",
    key: ["id"],
    columns: {
      id: id.required(),
      ...{ kind: Joi.valid(...waiverKinds).required(), area: subtree.area, team: subtree.team },
      app: name(200).when("env", { not: Joi.exist(), otherwise: Joi.required() }),
      env: name(200),
      scorecard: name(200).when("metric", { not: Joi.exist(), otherwise: Joi.required() }),
      ...{ metric: name(200), problem_type: name(200), reason: name(1000).required(), owner: name(200).required() },
      ...{ evidence, extends: id, requested_at: past.required(), requested_by: name(2048).required() },
      ...{ requester: name(10_000), decision: Joi.valid(...decisions), decided_at: past, decided_by: name(2048) },
      ...{ comment: name(1000), expires_at: time, revoked_at: past, revoked_by: name(2048) },
    },
    rule: (row) =>
      row
        .xor("scorecard", "problem_type")
        .and("decision", "decided_at", "decided_by")
        .with("comment", "decision")
        .and("revoked_at", "revoked_by"),
  },
  campaigns: {
    source: `(${campaignsByArea}) AS campaigns`,
    key: ["area", "id"],
    columns: {
      ...{ area: app.area, id: id.required() },
      ...Object.fromEntries(
        ["name", "why", "owner", "scope", "goal"].map((field) => [field, newCampaign.extract(field).required()]),
      ),
      ...{ starts: dayParameter.required(), due: dayParameter.required(), created_at: past.required() },
      ...{ created_by: name(2048).required(), creator: name(10_000), ended_at: past, ended_by: name(2048) },
      ...{ archived_at: past, recorded: day },
      notified: Joi.array()
        .items(Joi.valid(...notices))
        .unique()
        .required(),
    },
    rule: (row) =>
      withRule(
        row.and("ended_at", "ended_by"),
        ({ goal, starts, due }: Pick<NewCampaign, "goal" | "due"> & { readonly starts: string }) => {
          const [fault] = goalFaults(goal);
          if (fault) return `${fault.path} ${fault.message}`;
          return due < starts ? "due must not be before starts" : undefined;
        },
      ),
  },
  campaign_members: {
    source: `campaign_members ${ofTarget}`,
    key: ["campaign_id", ...targetFields],
    columns: { campaign_id: id.required(), ...target, joined: day, met_on: day },
  },
  campaign_days: {
    source: "campaign_days",
    key: ["campaign_id", "day", "area", "team"],
    columns: {
      ...{ campaign_id: id.required(), day: day.required(), area: app.area, team: app.team },
      ...Object.fromEntries(
        ["members", "met", "waived", "exempt"].map((field) => [field, int.min(0).max(maxInt).required()]),
      ),
    },
  },
};

/** The columns of a kind, in the order of an export. */
export function columnsOf(table: TableName): string[] {
  return Object.keys(kinds[table].columns);
}

/** The schemas that check the rows of an import. Only the first fault of a row is reported. */
export const rowSchemas: Readonly<Record<TableName, Joi.ObjectSchema>> = Object.fromEntries(
  tableNames.map((table) => {
    const { columns, rule = (row) => row } = kinds[table];
    return [table, rule(Joi.object(columns)).prefs({ ...strict, abortEarly: true })];
  }),
) as Record<TableName, Joi.ObjectSchema>;
