import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair } from "jose";
import { type ClientMetadata, type Configuration, Provider } from "oidc-provider";
// @ts-expect-error The package has no types for it. Named by a function, it is not warned of.
import MemoryAdapter from "oidc-provider/lib/adapters/memory_adapter.js";
import { type Person, peoplePage, signOutPage } from "./openid-pages.ts";

/** A running OpenID provider on loopback, which keeps everything in memory. */
export interface OpenIdProvider {
  /** Its `iss`. The host is `localhost`, so that it is another site than a service on 127.0.0.1. */
  readonly url: string;
  readonly clientId: string;
  /** Takes a service as its one client, by each address that people open. Without a call there is no client. */
  trust(service: string, ...others: readonly string[]): void;
  /** Signs with a new key, and withdraws the former one. */
  rotate(): Promise<void>;
  /** Takes requests without an answer while true, as a provider that is slow. */
  hang(hangs: boolean): void;
  /** Lets its clock differ by so many milliseconds. */
  skew(ms: number): void;
  /** The number of requests so far. */
  requests(): number;
  /** Ends all connections, as a provider that is down. */
  stop(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
}

export interface OpenIdProviderOptions {
  readonly people: readonly Person[];
  /** By default the system chooses one. */
  readonly port?: number;
  /** Without one the service is a public client. */
  readonly clientSecret?: string;
  /** Further settings of `oidc-provider`, which win. */
  readonly configuration?: Configuration;
}

/** How far the clock differs of the provider that runs the code, in milliseconds. */
const clock = new AsyncLocalStorage<number>();
const { now } = Date;
Date.now = () => now() + (clock.getStore() ?? 0);

const clientId = "maturity";
const choice = /^\/people\/([\w-]+)$/;

/** Starts a provider at which everybody chooses a person by a click. */
export async function startOpenIdProvider(options: OpenIdProviderOptions): Promise<OpenIdProvider> {
  const { people, port = 0, clientSecret, configuration } = options;
  const server = createServer();
  const start = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const ownPort = await start(port);
  const url = `http://localhost:${ownPort}`;
  let jwks = { keys: [await newKey()] };
  let clients: ClientMetadata[] = [];
  let [requests, hangs, skewMs] = [0, false, 0];
  const newProvider = () => new Provider(url, { ...settingsFor(people), jwks, clients, ...configuration });
  let provider = newProvider();
  server.on("request", (request, response) => {
    requests++;
    if (!hangs) void clock.run(skewMs, () => answer(request, response));
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ""] = (request.url ?? "").split("?");
    try {
      if (!choice.test(path)) return void (await provider.callback()(request, response));
      if (request.method !== "POST") {
        await provider.interactionDetails(request, response);
        return void response.setHeader("content-type", "text/html; charset=utf-8").end(peoplePage(people));
      }
      const accountId = new URLSearchParams(await text(request)).get("person") ?? "";
      const result = accountId ? { login: { accountId } } : { error: "access_denied" };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    } catch (error) {
      response.writeHead(400, { "content-type": "text/plain" }).end(String(error));
    }
  }
  return {
    url,
    clientId,
    trust(...services) {
      const secret = { client_secret: clientSecret, token_endpoint_auth_method: "client_secret_basic" } as const;
      clients = [{ ...clientAt(services), ...(clientSecret !== undefined && secret) }];
      provider = newProvider();
    },
    async rotate() {
      jwks = { keys: [await newKey()] };
      provider = newProvider();
    },
    hang(now) {
      hangs = now;
    },
    skew(ms) {
      skewMs = ms;
    },
    requests: () => requests,
    start: async () => void (await start(ownPort)),
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function newKey() {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig" };
}

/** A public client: a service by its addresses, of which the first takes the provider's logout. */
function clientAt(services: readonly string[]): ClientMetadata {
  const at = (path: string) => services.map((service) => new URL(path, `${service.replace(/\/$/, "")}/`).href);
  return {
    ...{ client_id: clientId, token_endpoint_auth_method: "none", response_types: ["code"] },
    ...{ grant_types: ["authorization_code"], redirect_uris: at("sign-in/callback") },
    post_logout_redirect_uris: at("board/"),
    backchannel_logout_uri: at("sign-in/back-channel")[0],
    backchannel_logout_session_required: true,
  };
}

function settingsFor(people: readonly Person[]): Configuration {
  return {
    adapter: (model: string) => new MemoryAdapter(model),
    ttl: { AccessToken: 600, Grant: 86_400, IdToken: 600, Interaction: 3_600, Session: 86_400 },
    claims: { openid: ["sub"], profile: ["name", "groups"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["only for a trial"] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = signOutPage(form);
        },
        postLogoutSuccessSource: (context) => {
          context.body = "You are signed out.";
        },
      },
    },
    // Its own dispatcher refuses addresses of this machine, and so the logout of a service on loopback.
    fetch(url, init: RequestInit & { dispatcher?: unknown } = {}) {
      const { dispatcher: _, ...others } = init;
      return fetch(url, others);
    },
    interactions: { url: (_, { uid }) => `/people/${uid}` },
    findAccount(_, sub) {
      const person = people.find((one) => one.sub === sub);
      if (!person) return undefined;
      const { name, email, groups } = person;
      const claims = { sub, name, email, email_verified: true, groups: [...groups] };
      return { accountId: sub, claims: async () => claims };
    },
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        accountId: oidc.session?.accountId ?? "",
        clientId: oidc.client?.clientId ?? "",
      });
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  };
}
