import { createToken, hashToken } from "../../src/auth/token.ts";
import { insertToken } from "../../src/auth/tokens.ts";
import type { Bounds, Scope } from "../../src/model/grant.ts";
import type { Answer } from "./requests.ts";
import type { TestService } from "./service.ts";

/** Somebody with a token. */
export interface Caller {
  readonly name: string;
  get(url: string): Promise<Answer>;
  post(url: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  patch(url: string, body: object): Promise<Answer>;
  delete(url: string): Promise<Answer>;
}

/** Makes a token, and gives what its holder can ask of the service. */
export async function holderOf(
  { server, database }: Pick<TestService, "server" | "database">,
  { name, scopes, bounds = {} }: { readonly name: string; readonly scopes: readonly Scope[]; readonly bounds?: Bounds },
): Promise<Caller> {
  const token = createToken();
  await insertToken(database.knex, { name, hash: hashToken(token), scopes, bounds });
  const ask = async (method: string, url: string, body?: object, headers = {}): Promise<Answer> => {
    const answer = await server.inject({
      ...{ method, url, headers: { authorization: `Bearer ${token}`, ...headers } },
      ...(body && {
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        payload: JSON.stringify(body),
      }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.payload) };
  };
  return {
    name,
    get: (url) => ask("GET", url),
    post: (url, body = {}, headers = {}) => ask("POST", url, body, headers),
    patch: (url, body) => ask("PATCH", url, body),
    delete: (url) => ask("DELETE", url),
  };
}
