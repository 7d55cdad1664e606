import { onTestFinished } from "vitest";
import type { Claims } from "../../src/auth/claim-rules.ts";
import { parseOidcConfig } from "../../src/auth/oidc-config.ts";
import { compilePeople } from "../../src/auth/person.ts";
import { createSessionStore, type OpenedSession } from "../../src/auth/session-store.ts";
import type { SignIn } from "../../src/auth/sign-in-config.ts";
import { type CookieJar, createCookieJar, signIn } from "./cookie-jar.ts";
import type { Person } from "./openid-pages.ts";
import { type OpenIdProvider, type OpenIdProviderOptions, startOpenIdProvider } from "./openid-provider.ts";
import { startService, type TestService, type TestServiceOptions } from "./service.ts";

/** Ann may read two teams and waive in an area, Bob reads all and asks for nothing, nobody knows Eve. */
export const people: readonly Person[] = [
  { sub: "1", name: "Ann", email: "ann@acme.example", groups: ["team-checkout", "team-till", "security"] },
  { sub: "2", name: "Bob", email: "bob@acme.example", groups: ["visitors"] },
  { sub: "3", name: "Eve", email: "eve@evil.example", groups: ["strangers", "<b>others</b>"] },
];

export const rules: readonly object[] = [
  { match: { groups: "team-{team}" }, grant: { team: "{team}", scopes: ["read"] } },
  { match: { groups: "security" }, grant: { area: "shop", scopes: ["read", "waiver:write"] } },
  { match: { groups: "visitors" }, grant: { scopes: ["read"] } },
  { match: { groups: "visitors" }, deny: ["waiver:request"] },
];

/** A service at which people sign in. */
export interface SigningService extends TestService {
  /** Its address, without `/` at its end. */
  readonly url: string;
  /** Opens a session for a person without the provider, who may also say other things of the person. */
  sessionFor(sub: string, claims?: Claims): Promise<OpenedSession>;
}

export interface SigningServiceOptions extends TestServiceOptions {
  /** Further settings of `sign_in`. */
  readonly settings?: object;
}

export async function useProvider(options: Partial<OpenIdProviderOptions> = {}): Promise<OpenIdProvider> {
  const provider = await startOpenIdProvider({ people, ...options });
  onTestFinished(() => provider.stop());
  return provider;
}

/** Starts a service that listens, and at which people sign in. The provider trusts it. */
export async function startSigningService(
  provider: OpenIdProvider,
  { settings = {}, ...options }: SigningServiceOptions = {},
): Promise<SigningService> {
  const base = { issuer: provider.url, client_id: provider.clientId, rules };
  const oidc = parseOidcConfig(JSON.stringify({ sign_in: { ...base, ...settings } }), "oidc.yaml");
  const service = await startService({ auth: "token,oidc", oidc, ...options });
  await service.server.start();
  const url = service.server.info.uri;
  provider.trust(url);
  const signIn = oidc.signIn as SignIn;
  const noTokens = () => Promise.reject(new Error("no token is read"));
  const store = createSessionStore(service.database, noTokens, signIn);
  const personOf = compilePeople(signIn);
  return {
    ...{ ...service, url },
    sessionFor(sub, claims = {}) {
      const { email, groups }: Partial<Person> = people.find((one) => one.sub === sub) ?? {};
      return store.openFor(personOf({ sub, email, email_verified: true, groups, ...claims }));
    },
  };
}

/** `startSigningService` for one test. */
export async function useSigningService(...args: Parameters<typeof startSigningService>): Promise<SigningService> {
  const service = await startSigningService(...args);
  onTestFinished(() => service.stop());
  return service;
}

/** A browser in which this person has signed in. */
export async function signedIn({ url: service }: SigningService, sub: string): Promise<CookieJar> {
  const jar = createCookieJar();
  const { response } = await signIn(jar, { service, sub });
  if (response.status !== 200) throw new Error(await response.text());
  return jar;
}

/** What GET /board/session shows a browser. */
export async function sessionOf({ url }: SigningService, jar: CookieJar): Promise<ReturnType<typeof JSON.parse>> {
  const response = await jar.send(`${url}/board/session`);
  return JSON.parse(await response.text()).session;
}
