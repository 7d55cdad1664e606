import { resolve } from "node:path";
import type { Flags } from "./command.ts";
import type { Context } from "./context.ts";
import { readText } from "./files.ts";
import type { Settings } from "./settings.ts";
import { UsageError } from "./usage-error.ts";

/** The access token, or what gives one, and where it is from. */
export interface Credentials {
  readonly from: string;
  readonly token: string | (() => Promise<string>);
}

/** The CI gave no ID token. */
export class IdTokenError extends Error {
  override readonly name = "IdTokenError";
}

/** Whom the service's ID tokens are made out to, unless a setting says otherwise. */
const defaultAudience = "maturity";

/** Far more than a token takes. */
const maxBytes = 65_536;

/**
 * The token to call with: of the flag, of the environment, or made by GitHub Actions for this very run.
 *
 * @throws UsageError when the file of the flag cannot be read, and when there is a token for an address that only a file of
 * the repository names
 */
export async function findCredentials(
  { url, audience }: Settings,
  flags: Flags,
  context: Context,
): Promise<Credentials | undefined> {
  const credentials = await given(flags.tokenFile, audience?.value ?? defaultAudience, context);
  if (credentials && url?.isOfFile) {
    throw new UsageError(
      `the token of ${credentials.from} is not sent to ${url.value}, an address that ${url.from} names: whoever changes that file would get it; give --url or MATURITY_URL beside the token`,
    );
  }
  return credentials;
}

async function given(tokenFile: unknown, audience: string, context: Context): Promise<Credentials | undefined> {
  const { env, cwd } = context;
  if (typeof tokenFile === "string") {
    const token = await readText(resolve(cwd, tokenFile), `the token file ${tokenFile}`, maxBytes);
    return { from: "--token-file", token: token.trim() };
  }
  for (const from of ["MATURITY_TOKEN", "MATURITY_ID_TOKEN"]) {
    const token = env[from]?.trim();
    if (token) return { from, token };
  }
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env;
  if (!url || !bearer) return undefined;
  return {
    from: "GitHub Actions (OIDC)",
    token: keptFor(lifeMs, context.now, () => ask(url, bearer, audience, context)),
  };
}

/** GitHub's ID tokens live for at least five minutes. */
const lifeMs = 240_000;

/** Asks again once the former answer is older than that. */
function keptFor(milliseconds: number, now: () => number, get: () => Promise<string>): () => Promise<string> {
  let kept: { readonly token: Promise<string>; readonly since: number } | undefined;
  return () => {
    if (!kept || now() - kept.since > milliseconds) {
      const token = get();
      token.catch(() => {
        kept = undefined;
      });
      kept = { token, since: now() };
    }
    return kept.token;
  };
}

const attempts = 3;

async function ask(url: string, bearer: string, audience: string, { fetch }: Context): Promise<string> {
  const { bounded } = await import("@maturity/client");
  const address = new URL(url);
  address.searchParams.set("audience", audience);
  const headers = { authorization: `bearer ${bearer}` };
  let reason = "";
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      const request = new Request(address, { headers, signal: AbortSignal.timeout(10_000) });
      const response = await bounded(fetch, maxBytes)(request);
      const text = await response.text();
      const answer = (response.ok ? JSON.parse(text) : {}) as { value?: unknown } | null;
      if (typeof answer?.value === "string") return answer.value;
      reason = `status ${response.status}`;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  throw new IdTokenError(`GitHub Actions gave no ID token (${reason}); has the job the permission id-token: write?`);
}
