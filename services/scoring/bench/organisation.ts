/** A score as the bench makes it up. */
export interface MadeUpScore {
  readonly area: string;
  readonly team: string;
  readonly app: string;
  readonly env: string;
  readonly scorecard: string;
  readonly metric: string;
  readonly score: number;
}

const metrics = {
  security: ["image_scan", "secret_scan", "sast", "dast"],
  reliability: ["sla", "change_failure_rate", "mttr", "mttd"],
  application: [
    ...["libs_secrets", "libs_observability", "unique_db_user", "health_check"],
    ...["unit_coverage", "integration_coverage", "stress_test"],
  ],
};
const kinds = Object.entries(metrics).flatMap(([scorecard, names]) => names.map((metric) => ({ scorecard, metric })));
const envs = ["prod", "staging"];

/** So many scores of applications with two environments and 15 metrics, 20 of them a team, 10 teams an area. */
export function* organisation(scores: number): Generator<MadeUpScore> {
  for (let index = 0; index < scores; index++) {
    const kind = kinds[index % kinds.length];
    const app = Math.floor(index / (kinds.length * envs.length));
    const team = Math.floor(app / 20);
    if (!kind) continue;
    yield {
      area: `area-${Math.floor(team / 10)}`,
      team: `team-${team}`,
      app: `application-${app}`,
      env: envs[Math.floor(index / kinds.length) % envs.length] ?? "prod",
      ...kind,
      score: (index * 37) % 101,
    };
  }
}
