import type { ProblemDetail } from "../../model/problem.ts";
import { demoTeams } from "./organisation.ts";
import { randomOf } from "./random.ts";

interface Kind {
  readonly problem_type: string;
  readonly severity: string;
  readonly details: readonly ProblemDetail[];
}

const kinds: readonly Kind[] = [
  {
    ...{ problem_type: "terraform_secret", severity: "critical" },
    details: [{ file: "infra/main.tf", line: 3, description: "AWS access key" }],
  },
  {
    ...{ problem_type: "vulnerable_dependency", severity: "critical" },
    details: [
      { file: "package-lock.json", line: 4_812, description: "remote code execution in a parser; mended in 4.2.1" },
      { file: "package-lock.json", line: 7_090, description: "request smuggling in an HTTP client; mended in 2.9.0" },
    ],
  },
  {
    ...{ problem_type: "public_bucket", severity: "high" },
    details: [{ file: "infra/storage.tf", line: 27, description: "everybody may read the bucket of the invoices" }],
  },
  {
    ...{ problem_type: "exposed_admin_port", severity: "high" },
    details: [{ file: "deploy/service.yaml", line: 18, description: "the port of the admin pages is open to all" }],
  },
  {
    ...{ problem_type: "privileged_container", severity: "medium" },
    details: [
      { file: "deploy/deployment.yaml", line: 31, description: "runs as root" },
      { file: "deploy/cronjob.yaml", line: 22, description: "runs as root" },
      { file: "deploy/migrate.yaml", line: 19, description: "may gain privileges" },
    ],
  },
  {
    ...{ problem_type: "unpinned_image", severity: "low" },
    details: [{ file: "Dockerfile", line: 1, description: "the base image has no digest" }],
  },
];

const hourMs = 3_600_000;

/** The problems of the organisation, in the form of an export: most are open, for hours or for months. */
export function* problemRows(now: Date): Generator<object> {
  for (const { area, team, quality, apps } of demoTeams) {
    for (const app of apps) {
      const random = randomOf(`problems of ${area}/${team}/${app}`);
      for (const { details, ...kind } of kinds) {
        if (random() > (1 - quality) * 0.22) continue;
        const reported = now.getTime() - (1 + random() * 20) * hourMs;
        const opened = reported - random() ** 3 * 150 * 24 * hourMs;
        const isOpen = random() < 0.85;
        yield {
          ...{ table: "problems", area, team, app, env: "prod", ...kind },
          ...{ count: isOpen ? details.length : 0, details: isOpen ? details : [] },
          ...(isOpen && { opened_at: new Date(opened).toISOString() }),
          reported_at: new Date(reported).toISOString(),
        };
      }
    }
  }
}
