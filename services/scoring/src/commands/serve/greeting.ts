import { basename, relative } from "node:path";
import type { AuthMode } from "../../model/grant.ts";
import type { Config } from "../config.ts";

const example = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  scorecard: "security",
  metric: "image_scan",
  raw: { critical: 0, high: 3, medium: 12 },
};

interface GreetedConfig extends Pick<Config, "auth" | "databaseUrl" | "board"> {
  /** Whether anything can send results: not if only people can sign in. */
  readonly takesResults: boolean;
}

/**
 * The greeting on the terminal: the address of the service, and a command that sends it a result.
 *
 * @param program the path by which this process was started
 */
export function greeting(uri: string, config: GreetedConfig, program: string): string {
  return `
Maturity listens on ${uri}.${config.board ? ` Its Board, for a browser: ${uri}/board/` : ""}
${config.takesResults ? sendHint(uri, config, program) : ""}
Scores: ${uri}/metrics   Docs: ${uri}/docs/

`;
}

function sendHint(uri: string, { auth, databaseUrl }: GreetedConfig, program: string): string {
  return `
Send it a result:
${tokenHint(auth, databaseUrl, program)}
  curl -s '${uri}/score'${auth === "none" ? "" : ' -H "authorization: Bearer $MATURITY_TOKEN"'} -H 'content-type: application/json' -d '${JSON.stringify(example)}'
`;
}

/** Shows how to get the token that the command sends. */
function tokenHint(auth: AuthMode, databaseUrl: string, program: string): string {
  if (auth === "none") return "";
  if (auth === "oidc") {
    return `
  # MATURITY_TOKEN holds the ID token of a pipeline that a rule of OIDC_CONFIG fits.`;
  }
  const create = `${commandOf(program)} token create --name trial --scope score:write --scope read | tail -n 1`;
  return databaseUrl.startsWith("pglite:")
    ? `
  # The embedded database has one user at a time: stop the service for it, and start it again.
  export MATURITY_TOKEN=$(DATABASE_URL='${databaseUrl}' ${create})`
    : `
  # With the DATABASE_URL of this service in the environment:
  export MATURITY_TOKEN=$(${create})`;
}

/**
 * How a terminal starts the program again: by the Node of this process, because the Node on the user's path may be too old.
 *
 * @param program the path by which this process was started
 */
export function commandOf(program: string): string {
  return basename(program) === "maturity-service"
    ? "npx maturity-service"
    : `'${process.execPath}' '${relative("", program)}'`;
}
