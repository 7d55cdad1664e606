import { basename, relative } from "node:path";
import type { AuthMode } from "./auth/scheme.ts";

const example = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  scorecard: "security",
  metric: "image_scan",
  raw: { critical: 0, high: 3, medium: 12 },
};

/**
 * What the start says to people: where the service listens, and a command to send it a result that works as it stands.
 *
 * @param program the path by which this process was started
 */
export function greeting(uri: string, auth: AuthMode, program: string): string {
  return `
Maturity listens on ${uri}. Send it a result:
${tokenHint(auth, program)}
  curl -s '${uri}/score'${auth === "none" ? "" : ' -H "authorization: Bearer $MATURITY_TOKEN"'} -H 'content-type: application/json' -d '${JSON.stringify(example)}'

Scores: ${uri}/metrics   Description: ${uri}/docs

`;
}

/** How a caller gets the token that the command sends. */
function tokenHint(auth: AuthMode, program: string): string {
  if (auth === "none") return "";
  if (auth === "oidc") {
    return `
  # MATURITY_TOKEN holds the ID token of a pipeline that a rule of OIDC_CONFIG fits.`;
  }
  const command = basename(program) === "maturity-service" ? "npx maturity-service" : `node ${relative("", program)}`;
  return `
  # The token is made with the DATABASE_URL of this service; with the embedded database, while the service is stopped.
  export MATURITY_TOKEN=$(${command} token create --name trial --scope score:write --scope read | tail -n 1)`;
}
