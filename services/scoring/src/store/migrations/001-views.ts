import { closingLabels } from "../labels.ts";

const live = "applications.retired_at IS NULL AND applications.held_since IS NULL AND targets.retired_at IS NULL";
const named = `JOIN targets ON targets.id = target_id JOIN applications ON applications.id = application_id`;

/**
 * Stored rows with names. `scores_by_name` and `problems_by_name` are a stable read interface for BI tools: columns are
 * only added. Targets that are retired or held are left out; `is_shown` says it of waivers, which an export has all of.
 *
 * `former_names` has the current name of each former name; an empty team or app means all of them. A former name of an
 * application is left out if that of its team or area leads to the same name.
 */
export const views: string = `
CREATE VIEW scores_by_name AS
SELECT area, team, app, env, scorecard, metric, score, raw, scorer, pipeline_id, project_repo, reported_at,
  coalesce(measured_at, reported_at) AS measured_at,
  changed_at, former_score, changed_by, targets.labels || metrics.labels AS labels, application_id, target_id, metric_id
FROM scores JOIN metrics ON metrics.id = metric_id ${named}
WHERE ${live};
CREATE VIEW problems_by_name AS
SELECT area, team, app, env, problem_type, severity, count, details, chat_channel, opened_at, reported_at,
  coalesce(measured_at, reported_at) AS measured_at,
  targets.labels || ${closingLabels({ problem_type: "problem_type", severity: "severity" })} AS labels,
  problems.id, application_id, target_id, past_openings
FROM problems ${named}
WHERE ${live};
CREATE VIEW waivers_by_name AS
SELECT waivers.id, kind, coalesce(waivers.area, applications.area) AS area, coalesce(waivers.team, applications.team) AS team,
  applications.app, env, scorecard, metric, problem_type, reason, waivers.owner, evidence, extends, requested_at, requested_by,
  requester, decision, decided_at, decided_by, comment, created_at, CASE WHEN created_at IS NOT NULL THEN decided_by END AS created_by,
  ends_at, expires_at, revoked_at, revoked_by, application_id,
  application_id IS NULL OR applications.retired_at IS NULL AND held_since IS NULL AND NOT EXISTS (
    SELECT FROM targets
    WHERE targets.application_id = waivers.application_id AND targets.env = waivers.env AND targets.retired_at IS NOT NULL
  ) AS is_shown
FROM waivers LEFT JOIN applications ON applications.id = application_id;
CREATE VIEW roll_up_targets_by_name AS
SELECT roll_up_targets.id, applications.area, applications.team, applications.app, targets.env, target_id
FROM roll_up_targets ${named}
UNION ALL
SELECT id, area, team, NULL::text COLLATE "C", env, NULL FROM roll_up_targets WHERE target_id IS NULL;
CREATE VIEW former_names AS
SELECT area, team, '' COLLATE "C" AS app, to_area, to_team, '' COLLATE "C" AS to_app, moved_at, (
  SELECT max(used_at) FROM names
  WHERE names.area = former_groups.area AND former_groups.team IN ('', names.team)
) AS used_at
FROM former_groups
UNION ALL
SELECT names.area, names.team, names.app, applications.area, applications.team, applications.app, since, names.used_at
FROM names
  JOIN applications ON applications.id = application_id
  LEFT JOIN former_groups AS of_team ON (of_team.area, of_team.team) = (names.area, names.team)
  LEFT JOIN former_groups AS of_area ON (of_area.area, of_area.team) = (names.area, '')
WHERE (names.area, names.team, names.app) <> (applications.area, applications.team, applications.app)
  AND (applications.area, applications.team, applications.app) IS DISTINCT FROM (
    coalesce(of_team.to_area, of_area.to_area), coalesce(of_team.to_team, names.team), names.app
  )
`;
