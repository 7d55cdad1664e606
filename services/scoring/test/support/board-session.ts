import type { ServerInjectOptions } from "@hapi/hapi";
import { createToken, hashToken } from "../../src/auth/token.ts";
import { insertToken } from "../../src/auth/tokens.ts";
import type { Bounds, Scope } from "../../src/model/grant.ts";
import { createDatabase, type engines, startService, type TestService } from "./service.ts";

export const url = "/board/session";
const score = { team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "secret_scan" };

/** What a new token allows. */
interface TokenTerms {
  readonly scopes?: readonly Scope[];
  readonly bounds?: Bounds;
  readonly expiresAt?: Date | undefined;
}

/** Stores a token, by default one that may read. */
export async function make(
  { database }: TestService,
  { scopes = ["read"], bounds = {}, expiresAt }: TokenTerms = {},
): Promise<{ token: string; id: number }> {
  const token = createToken();
  const stored = { name: "Ann", hash: hashToken(token), scopes, bounds, ...(expiresAt && { expiresAt }) };
  return { token, id: await insertToken(database.knex, stored) };
}

/** What the service answered. */
interface Answered {
  readonly status: number;
  readonly cookies: readonly string[];
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: ReturnType<typeof JSON.parse>;
}

type Headers = Readonly<Record<string, string>>;

/** Sends what a page of the service would. */
export async function send(service: TestService, request: ServerInjectOptions): Promise<Answered> {
  const response = await service.server.inject(request);
  const cookies = [response.headers["set-cookie"] ?? []].flat();
  return { status: response.statusCode, cookies, headers: response.headers, body: JSON.parse(response.payload) };
}

export const page: Headers = { "sec-fetch-site": "same-origin", origin: "https://maturity.acme.example" };

export function open(service: TestService, token: unknown, headers: Headers = page): Promise<Answered> {
  return send(service, {
    ...{ method: "POST", url },
    headers: { "content-type": "application/json", ...headers },
    payload: JSON.stringify({ token }),
  });
}

export function close(service: TestService, cookie: string, headers: Headers = page): Promise<Answered> {
  return send(service, { method: "DELETE", url, headers: { cookie, ...headers } });
}

/** What the browser sends from then on. */
export function cookieOf({ cookies }: { readonly cookies: readonly string[] }): string {
  return cookies[0]?.split(";", 1)[0] ?? "";
}

export async function opened(service: TestService, token: string): Promise<string> {
  return cookieOf(await open(service, token));
}

export function read(
  service: TestService,
  cookie: string,
  path: string = "/areas",
  more: Headers = {},
): Promise<Answered> {
  return send(service, { url: path, headers: { cookie, ...more } });
}

export async function current(service: TestService, cookie: string): Promise<Answered["body"]> {
  return (await read(service, cookie, url)).body.session;
}

/** A service with AUTH=token and a score in two areas. */
export async function startWithScores(kind: (typeof engines)[number]): Promise<TestService> {
  const service = await startService({ databaseUrl: await createDatabase(kind), auth: "token" });
  const { token } = await make(service, { scopes: ["score:write"] });
  for (const area of ["mine", "theirs"]) {
    await service.server.inject({
      ...{ method: "POST", url: "/score" },
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      payload: JSON.stringify({ area, ...score, raw: { found: false } }),
    });
  }
  return service;
}
