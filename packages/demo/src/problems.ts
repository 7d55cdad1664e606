import { demoTeams, randomOf } from "./organisation.ts";

type Finding = readonly [line: number, description: string];

const kinds: readonly [problem_type: string, severity: string, file: string, ...findings: Finding[]][] = [
  ["terraform_secret", "critical", "infra/main.tf", [3, "AWS access key"]],
  ["vulnerable_dependency", "critical", "package-lock.json", [4812, "remote code execution in a parser"]],
  ["public_bucket", "high", "infra/storage.tf", [27, "everybody may read the bucket of the invoices"]],
  ["exposed_admin_port", "high", "deploy/service.yaml", [18, "the port of the admin pages is open to all"]],
  ["privileged_container", "medium", "deploy/jobs.yaml", [19, "may gain privileges"], [31, "runs as root"]],
  ["unpinned_image", "low", "Dockerfile", [1, "the base image has no digest"]],
];

const hourMs = 3_600_000;

/** The problems of the organisation, as rows of an export. Most are open, since hours or months ago. */
export function* problemRows(now: Date): Generator<object> {
  for (const { area, team, quality, apps } of demoTeams) {
    for (const app of apps) {
      const random = randomOf(`problems of ${area}/${team}/${app}`);
      for (const [problem_type, severity, file, ...findings] of kinds) {
        if (random() > (1 - quality) * 0.22) continue;
        const reported = now.getTime() - (1 + random() * 20) * hourMs;
        const opened = reported - random() ** 3 * 150 * 24 * hourMs;
        const found = random() < 0.85 ? findings : [];
        yield {
          ...{ table: "problems", area, team, app, env: "prod", problem_type, severity, count: found.length },
          details: found.map(([line, description]) => ({ file, line, description })),
          ...(found.length > 0 && { opened_at: new Date(opened).toISOString() }),
          reported_at: new Date(reported).toISOString(),
          ...(found.length === 0 && {
            past_openings: [
              {
                ...{ opened_at: new Date(opened - (1 + random() * 40) * 24 * hourMs).toISOString() },
                ...{ resolved_at: new Date(opened).toISOString(), severity },
              },
            ],
          }),
        };
      }
    }
  }
}
