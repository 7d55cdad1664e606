import type { BrowserContextOptions, Page } from "playwright-core";
import { parseOidcConfig } from "../../../../services/scoring/src/auth/oidc-config.ts";
import { type OpenIdProvider, startOpenIdProvider } from "../../../../services/scoring/test/support/openid-provider.ts";
import { createDatabase, startService, type TestService } from "../../../../services/scoring/test/support/service.ts";
import { openBoard, startBoard } from "./browser.ts";

const person = (name: string, ...groups: string[]) => ({
  ...{ sub: name.toLowerCase(), name, email: `${name.toLowerCase()}@example.com`, groups },
});

/** Ann leads checkout. Bob has two teams and Tim has one, without an area. Sue and Grace decide in the area shop. Ray only reads. */
const people = [
  person("Ann", "leads-checkout"),
  person("Sue", "security"),
  person("Grace", "security"),
  person("Bob", "team-checkout", "team-search"),
  person("Ray", "readers"),
  person("Tim", "team-checkout"),
];

const rules = [
  { match: { groups: "leads-{team}" }, grant: { area: "shop", team: "{team}", scopes: ["read"] } },
  { match: { groups: "team-{team}" }, grant: { team: "{team}", scopes: ["read"] } },
  {
    match: { groups: "security" },
    grant: { area: "shop", scopes: ["read", "waiver:write", "campaign:write", "badge:write"] },
  },
  { match: { groups: "readers" }, grant: { scopes: ["read"] } },
  { match: { groups: "readers" }, deny: ["waiver:request"] },
];

/** A service that signs people in, and its provider. */
export interface SigningIn {
  readonly service: TestService;
  readonly provider: OpenIdProvider;
  stop(): Promise<void>;
}

/**
 * A service that listens, with a provider that knows its people.
 *
 * @param fill gets a service of the same database, in which anybody may write
 * @param publicUrl the address for browsers, if it is behind a proxy
 */
export async function startSigningIn(
  fill: (service: TestService) => Promise<void>,
  publicUrl?: string,
): Promise<SigningIn> {
  const databaseUrl = await createDatabase("postgres");
  const open = await startService({ databaseUrl });
  await fill(open);
  await open.stop();
  const provider = await startOpenIdProvider({ people });
  const client = { issuer: provider.url, client_id: provider.clientId, ...(publicUrl && { public_url: publicUrl }) };
  const text = JSON.stringify({ sign_in: { ...client, rules } });
  const service = await startBoard({ databaseUrl, auth: "oidc", oidc: parseOidcConfig(text, "oidc.json") });
  provider.trust(publicUrl ?? service.server.info.uri);
  return {
    service,
    provider,
    async stop() {
      await service.stop();
      await provider.stop();
    },
  };
}

/** Opens a view of the Board in a browser of its own, signed in as a person. */
export async function openAs(
  { service }: SigningIn,
  name: string,
  query: string = "",
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await openBoard(service, query, options);
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await choose(page, name);
  return page;
}

/** Chooses a person at the provider. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${name}\\b`) }).click();
  await page.getByText(`${name.toLowerCase()}@example.com`).first().waitFor();
}
