import { closingLabels, targetLabels } from "../../src/store/labels.ts";

/**
 * Statements that store scores by names, many at once and without a record of their changes. They must run on one
 * connection, or in one transaction.
 *
 * @param select rows with the columns area, team, app, env, scorecard, metric, score, raw, scorer, project_repo
 */
export function insertScores(select: string): string[] {
  return [
    `CREATE TEMP TABLE sent AS ${select}`,
    "INSERT INTO applications (area, team, app) SELECT DISTINCT area, team, app FROM sent ON CONFLICT DO NOTHING",
    `INSERT INTO names (area, team, app, application_id)
     SELECT area, team, app, id FROM applications ON CONFLICT DO NOTHING`,
    `INSERT INTO targets (application_id, env, labels)
     SELECT DISTINCT applications.id, sent.env, ${targetLabels("sent.env")}
     FROM sent JOIN applications USING (area, team, app)
     ON CONFLICT DO NOTHING`,
    `INSERT INTO metrics (scorecard, metric, labels)
     SELECT DISTINCT sent.scorecard, sent.metric,
       ${closingLabels({ scorecard: "sent.scorecard", metric: "sent.metric" })}
     FROM sent
     ON CONFLICT DO NOTHING`,
    `INSERT INTO scores (target_id, metric_id, score, raw, scorer, project_repo)
     SELECT targets.id, metrics.id, score, raw, scorer, project_repo
     FROM sent JOIN applications USING (area, team, app)
     JOIN targets ON application_id = applications.id AND targets.env = sent.env
     JOIN metrics USING (scorecard, metric)`,
    "DROP TABLE sent",
  ];
}
