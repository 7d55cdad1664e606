import { addressOf } from "../data/ask.ts";
import { session } from "../data/session.ts";

interface Names {
  readonly area: string;
  readonly team: string;
  readonly app: string;
  readonly env: string;
}

/** The command that reports a first result of an application. Its names may hold anything. */
export function firstReport({ area, team, app, env }: Names): string {
  const authorization = session.value ? ` \\\n  -H "authorization: Bearer $MATURITY_TOKEN"` : "";
  const body = `{
  "area": ${JSON.stringify(area)}, "team": ${JSON.stringify(team)},
  "app": ${JSON.stringify(app)}, "env": ${JSON.stringify(env)},
  "scorecard": "security", "metric": "image_scan",
  "raw": { "critical": 0, "high": 3, "medium": 12 }
}`;
  return `curl ${addressOf("/score")} \\
  -H 'content-type: application/json'${authorization} -d '${body.replaceAll("'", "'\\''")}'`;
}
