import type { ServerRoute } from "@hapi/hapi";
import { type AppliesRule, type Engine, type Exemption, type Freshness, findExemptions } from "@maturity/core";
import { scorerOf } from "@maturity/core/wire";
import Joi from "joi";
import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { itemFields } from "../lists/items.ts";
import { flag, inDigits, several, targetFilter } from "../lists/query.ts";
import { byNames, type Order, tableRoute } from "../lists/table.ts";
import { text } from "../model/fields.ts";
import { narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { type Json, object, textOrNull } from "../openapi/operation.ts";
import { factSql, isAnnounced, isNotApplicable } from "../rollups/applies-sql.ts";
import { isOneOf, within } from "../store/conditions.ts";
import type { ScoreKey } from "../store/new-score.ts";
import { microsOf } from "../store/utc.ts";
import { isScoreWaived } from "../store/waivers.ts";
import type { DetailSources } from "./app-details.ts";
import { exemptStates } from "./metric-detail.ts";
import { explain, reasonsSchema } from "./reasons.ts";

const states = ["fresh", "late", "stale", ...exemptStates] as const;

type State = Freshness | Exemption["exempt"];

/** The cheapest order: that of the primary key. */
const byKey: Order = [
  ["target_id", "bigint"],
  ["metric_id", "bigint"],
];

const orders: Readonly<Record<string, Order>> = {
  key: byKey,
  score: [["score", "numeric"], ...byKey],
  "-score": [["-score", "numeric"], ...byKey],
  age: [[microsOf("measured_at"), "bigint"], ...byKey],
  name: byNames("area", "team", "app", "env", "scorecard", "metric"),
};

interface ScoreQuery extends TargetFilter {
  readonly scorecard?: readonly string[];
  readonly metric?: readonly string[];
  readonly scorer?: readonly string[];
  readonly former_rules?: boolean;
  readonly state?: readonly State[];
  readonly waived?: boolean;
  readonly below?: number;
  readonly sort: keyof typeof orders;
  readonly detail: boolean;
}

/** What is read of a row. */
interface Row extends ScoreKey {
  readonly score: string;
  readonly scorer: string;
  readonly state: State;
  readonly raw?: object;
  /** The facts by which rules fit the application; null if it is not registered. */
  readonly tier: string | null;
  readonly app_labels: Readonly<Record<string, string>> | null;
}

const { area, team, app, env, scorecard, metric, score, time } = itemFields;

const schema = object(
  {
    ...{ area, team, app, env, scorecard, metric, score },
    state: {
      enum: states,
      description:
        "How old it is, by what its metric allows; `not_applicable` or `announced` if the policy exempts the application from it",
    },
    exempt_because: { ...textOrNull, description: "Why the policy exempts it; null if it does not" },
    measured_at: { ...time, description: "When the result was measured; its age counts from then" },
    reported_at: { ...time, description: "When it was reported" },
    scorer: { type: "string", description: "The package that computed it, with its version" },
    ...{ pipeline_id: textOrNull, project_repo: textOrNull },
    waived: { type: "boolean", description: "Is it left out of every score by a waiver in force?" },
  },
  {
    reasons: { ...reasonsSchema, description: `${reasonsSchema.description}; only with \`detail\`` },
    raw: { type: "object", description: "As it was reported; only with `detail`" },
  },
);

const example: Json = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "image_scan" },
  ...{
    score: 53.59,
    state: "fresh",
    exempt_because: null,
    waived: false,
    measured_at: "2026-03-01T08:14:21.000Z",
    reported_at: "2026-03-01T08:15:00.000Z",
    scorer: "@maturity/security@1.0.0",
  },
  ...{ pipeline_id: "cart/4711", project_repo: "https://git.example.com/shop/cart" },
};

const texts = several(text(1, 200));

/** GET /scores */
export function scoresListRoute({ engine, rules: { applies }, database }: DetailSources): ServerRoute {
  const source = withState(engine, applies);
  return tableRoute<ScoreQuery, Json, Row>(database, {
    path: "/scores",
    operationId: "listScores",
    summary: "The stored scores",
    parameters: {
      ...targetFilter,
      scorecard: texts.description("Only of these scorecards"),
      metric: texts.description(
        "Only of these metrics; with the name of its scorecard, such as `security.sast`, only of that scorecard",
      ),
      scorer: texts.description("Only those that this package computed, such as `@maturity/security@1.0.0`"),
      former_rules: Joi.boolean().description(
        "Only those that no installed version of a scorecard computed, or with `false` only those that one did",
      ),
      state: several(Joi.valid(...states)).description("Only those in this state"),
      waived: Joi.boolean().description(
        "Only those that a waiver in force leaves out of every score, or with `false` only the others",
      ),
      below: inDigits(Joi.number().min(0).max(100), "decimal").description("Only scores below this one"),
      sort: Joi.valid(...Object.keys(orders))
        .default("key")
        .description(
          "`key`: a fixed order, in which a page costs least; `score`: the worst first; `-score`: the best first; `age`: the oldest first; `name`: by names",
        ),
      detail: flag("Adds the result and the reasons"),
    },
    streamedBy: "key",
    item: { name: "StoredScore", schema, example },
    select: ({ sort, detail, scorecard, metric, scorer, former_rules, state, waived, below, ...filter }, grant) => ({
      from: source,
      where: [
        ...within(narrow(grant, filter)),
        ...isOneOf({ scorecard, scorer, state }),
        ...isMetric(metric),
        ...isByFormerRules(engine, former_rules),
        ...(waived === undefined ? [] : [sql`${raw(isScoreWaived("scores"))} = ${waived}::boolean`]),
        ...(below === undefined ? [] : [sql`score < ${below}::numeric`]),
      ],
      order: orders[sort] ?? byKey,
      columns: shownColumns,
      ...(detail && { large: "raw" }),
    }),
    show(row) {
      const { raw, tier: _, app_labels: __, ...stored } = row;
      const shown = { ...stored, score: Number(row.score), exempt_because: reasonOf(applies, row) };
      return raw ? { ...shown, reasons: explain(engine, { ...shown, raw }).reasons, raw } : shown;
    },
  });
}

/** The condition that a score is, or is not, of a scorer that is installed no more; none without `wanted`. */
function isByFormerRules({ scorecards }: Engine, wanted: boolean | undefined): Sql[] {
  const installed = scorecards.map(scorerOf);
  return wanted === undefined ? [] : [sql`scorer = ANY(${installed}::text[]) IS DISTINCT FROM ${wanted}::boolean`];
}

/**
 * The condition that a score is of one of these metrics, by `metric` or `scorecard.metric`. Neither name has a point.
 */
function isMetric(names: readonly string[] | undefined): Sql[] {
  return names ? [sql`metric = ANY(${names}::text[]) OR scorecard || '.' || metric = ANY(${names}::text[])`] : [];
}

const shownColumns = `area, team, app, env, scorecard, metric, score, state, tier, app_labels, measured_at, reported_at, scorer, pipeline_id, project_repo,
  ${isScoreWaived("page")} AS waived`;

/** Why the policy exempts an application from a metric; null if it does not. */
function reasonOf(
  applies: readonly AppliesRule[],
  { scorecard, metric, env, state, tier, app_labels }: Row,
): string | null {
  if (state !== "not_applicable" && state !== "announced") return null;
  const rules = rulesOf(applies, scorecard, metric);
  // Before every day, each rule with a day announces, so the state alone decides.
  const found = findExemptions(rules, { env, tier, labels: app_labels ?? {} }, new Date(0));
  return found.find(({ exempt }) => exempt === state)?.reason ?? null;
}

function rulesOf(applies: readonly AppliesRule[], scorecard: string, metric: string): AppliesRule[] {
  return applies.filter((rule) => rule.scorecard === scorecard && (rule.metric ?? metric) === metric);
}

/** The scores with their state, by the policy, by their maximum age and the database's clock. */
function withState({ scorecards }: Engine, applies: readonly AppliesRule[]): Sql {
  const metrics = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => ({ name, metric })));
  const maxAges = metrics.flatMap(({ name, metric }) =>
    metric.maxAgeHours === undefined ? [] : [{ name, metric, hours: metric.maxAgeHours }],
  );
  const fact = factSql({ applications: "facts", targets: "scores" });
  const when = (is: typeof isNotApplicable, state: Exemption["exempt"]) =>
    metrics.flatMap(({ name, metric }) => {
      const rules = rulesOf(applies, name, metric.name);
      if (rules.length === 0) return [];
      const own = sql`scorecard = ${name}::text AND metric = ${metric.name}::text`;
      const isExempt = rules.map((rule) => sql`(${is(rule, fact)})`);
      return [sql`WHEN ${own} AND (${join(isExempt, " OR ")}) THEN ${state}::text`];
    });
  const exempt = [...when(isNotApplicable, "not_applicable"), ...when(isAnnounced, "announced")];
  const [facts, joined] =
    applies.length === 0
      ? [sql`NULL AS tier, NULL::jsonb AS app_labels`, empty]
      : [sql`facts.tier, facts.labels AS app_labels`, sql`JOIN applications AS facts ON facts.id = application_id`];
  return sql`(
    SELECT scores.*, ${facts}, CASE ${exempt.length > 0 ? join(exempt, " ") : empty}
      WHEN ages IS NULL OR ages <= 1 THEN 'fresh' WHEN ages <= 2 THEN 'late' ELSE 'stale' END AS state
    FROM scores_by_name AS scores ${joined}
    LEFT JOIN unnest(
      ${maxAges.map(({ name }) => name)}::text[],
      ${maxAges.map(({ metric }) => metric.name)}::text[],
      ${maxAges.map(({ hours }) => hours)}::float8[]
    ) AS max_ages (scorecard, metric, hours) USING (scorecard, metric),
    LATERAL (SELECT date_part('epoch', clock_timestamp() - measured_at) / 3600 / hours) AS age (ages)
  ) AS scores`;
}
