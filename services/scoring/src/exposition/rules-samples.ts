import type { Engine } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import { recordedOf } from "../policy/recorded.ts";
import { labelsSql } from "../store/labels.ts";
import { quoted, whereTarget } from "../store/lines.ts";

/**
 * The age of the oldest changes that count. An alert on a fall within a day compares with scrapes and recordings of up
 * to an hour before that.
 */
const since = "now() - interval '25 hours'";

/**
 * SQL of a sample for each area where something within the filter reported: when rules changed last, because a replay wrote
 * a score or a start recorded the rules of this instance after others. During an upgrade, instances with other rules show
 * other times. Without history, the last change of each score is known.
 */
export function rulesChanged({ scorecards }: Pick<Engine, "scorecards">, filter: TargetFilter): string {
  const ownRules = quoted(JSON.stringify(recordedOf({ scorecards, levels: [], applies: [] }).scorecards));
  return `
    WITH changed (at) AS (
      SELECT max(at) FROM score_changes WHERE cause = 'rules' AND at > ${since}
      UNION ALL
      SELECT max(changed_at) FROM scores
      WHERE NOT EXISTS (SELECT FROM score_changes) AND changed_by = 'rules' AND changed_at > ${since}
      UNION ALL
      SELECT max(loaded_at) FROM policies
      WHERE id > (SELECT min(id) FROM policies) AND policy->'scorecards' = ${ownRules}::jsonb AND loaded_at > ${since}
    ),
    last (seconds) AS (SELECT coalesce(round(extract(epoch FROM max(at))::numeric, 3), 0) FROM changed)
    SELECT ${labelsSql({ area: "area" })} || ' ' || seconds
    FROM (
      SELECT DISTINCT area FROM (
        SELECT area, team, app, env FROM applications JOIN targets ON application_id = applications.id
        WHERE applications.retired_at IS NULL AND held_since IS NULL AND targets.retired_at IS NULL
      ) AS shown ${whereTarget(filter)}
    ) AS areas, last
  `;
}
