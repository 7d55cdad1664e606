import { expect } from "vitest";
import { createToken, hashToken } from "../../../src/auth/token.ts";
import { insertToken } from "../../../src/auth/tokens.ts";
import type { AppName } from "../../../src/model/app-name.ts";
import type { Bounds, Scope } from "../../../src/model/grant.ts";
import { put } from "../requests.ts";
import { type TestService, useService } from "../service.ts";

export const cart: AppName = { area: "shop", team: "checkout", app: "cart" };
export const basket: AppName = { ...cart, app: "basket" };

/** A token, and the headers that send it. */
interface SentToken {
  readonly id: number;
  readonly name: string;
  readonly headers: { readonly "content-type": string; readonly authorization: string };
}

/** Makes a token of an admin, unless `more` has other scopes. */
export async function tokenOf(
  { database }: TestService,
  name: string,
  bounds: Bounds,
  more: object = {},
): Promise<SentToken> {
  const token = createToken();
  const scopes: readonly Scope[] = ["admin"];
  const id = await insertToken(database.knex, { name, hash: hashToken(token), scopes, bounds, ...more });
  return { id, name, headers: { "content-type": "application/json", authorization: `Bearer ${token}` } };
}

/** A service that asks for tokens, with the application cart, and an admin without bounds. */
export async function useCart(): Promise<{ service: TestService; admin: SentToken }> {
  const service = await useService({ auth: "token" });
  const admin = await tokenOf(service, "admin", {});
  expect(await put(service, "/registry", cart, admin.headers)).toMatchObject({ status: 200 });
  return { service, admin };
}
