/** SQL of the problem that an alert is about, by the names that it has now; null if it is about none. */
export function placeOf(alert: string): string {
  return `(
    SELECT jsonb_build_object('area', area, 'team', team, 'app', app, 'env', env, 'problem_type', problem_type)
    FROM problems JOIN targets ON targets.id = target_id JOIN applications ON applications.id = application_id
    WHERE problems.id = ${alert}.problem_id
  )`;
}
