import { errors, jwtVerify } from "jose";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from "openid-client";
import { invalidPayload, type ServiceError } from "../model/errors.ts";
import { type Claims, textOf } from "./claim-rules.ts";
import { algorithms, fetchLimited, issuerKeys, patienceMs } from "./issuer-keys.ts";
import type { Attempt } from "./sign-in-attempt.ts";
import type { SignIn } from "./sign-in-config.ts";

/** How long the discovery document and the keys in use are kept, in milliseconds. */
const refreshMs = 600_000;

/** How far the provider's clock may differ, in seconds: five minutes, and the time that its answers take. */
const clockToleranceS = 330;

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** A person's end of session at the provider, by the session there, or by the person. */
export interface Logout {
  /** Differs for each logout token. */
  readonly id: string;
  readonly subject?: string | undefined;
  readonly sid?: string | undefined;
}

/** The OpenID provider at which people sign in. Every call may take a few seconds, and throws if it does not answer. */
export interface IdentityProvider {
  /** The address of the page at which a person signs in. */
  signInUrl(attempt: Attempt, redirectUri: string): Promise<URL>;
  /**
   * Exchanges the code of a callback for what the provider says of the person, in the ID token and at its userinfo endpoint.
   *
   * @param callback the address that was called, with its query
   */
  claims(attempt: Attempt, callback: URL): Promise<Claims>;
  /** The address at which the session at the provider ends; undefined if it has none. */
  signOutUrl(returnTo: string): Promise<URL | undefined>;
  /** Checks a logout token of the back channel. @throws ServiceError `invalid-payload` if it is none for this service */
  readLogout(token: string): Promise<Logout>;
}

export function createIdentityProvider(signIn: SignIn): IdentityProvider {
  const { issuer, client_id: clientId } = signIn;
  const keys = issuerKeys(issuer);
  let known: { readonly found: Promise<Configuration>; readonly until: number } | undefined;
  let last: Configuration | undefined;

  function forget(): void {
    known = undefined;
  }

  /** Finds the provider's settings; concurrent calls share one look. */
  function settings(): Promise<Configuration> {
    if (!known || Date.now() >= known.until) known = { found: look(), until: Date.now() + refreshMs };
    return known.found;
  }

  /** Anybody can make a sign-in fail, and so begin a look: if that finds nothing, the last settings still count. */
  async function look(): Promise<Configuration> {
    try {
      last = await discover(signIn);
    } catch (error) {
      forget();
      if (!last) throw error;
    }
    return last;
  }

  return {
    async signInUrl({ state, nonce, verifier }, redirectUri) {
      return buildAuthorizationUrl(await settings(), {
        ...{ scope: signIn.scopes, redirect_uri: redirectUri, state, nonce },
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
    },

    async claims({ state, nonce, verifier }, callback) {
      const config = await settings();
      try {
        const tokens = await authorizationCodeGrant(config, callback, {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
          idTokenExpected: true,
        });
        const claims = tokens.claims() ?? { sub: "" };
        if (!config.serverMetadata().userinfo_endpoint) return claims;
        return { ...(await fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
      } catch (error) {
        forget(); // its addresses or keys may have changed
        throw error;
      }
    },

    async signOutUrl(returnTo) {
      const config = await settings();
      if (!config.serverMetadata().end_session_endpoint) return undefined;
      return buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo });
    },

    async readLogout(token) {
      const { payload } = await jwtVerify(token, keys.find, {
        ...{ issuer, audience: clientId, algorithms, clockTolerance: clockToleranceS },
        requiredClaims: ["iat", "jti", "events"],
        maxTokenAge: clockToleranceS,
      }).catch((error) => {
        throw error instanceof errors.JOSEError ? notLogout(error.message) : error;
      });
      const { jti, sub, sid, events, nonce } = payload;
      if (nonce !== undefined || !Object.hasOwn(Object(events), logoutEvent)) throw notLogout("it is of another kind");
      if (sub === undefined && sid === undefined) throw notLogout("it names neither a person nor a session");
      return { id: String(jti), subject: sub, sid: textOf(payload, "sid") };
    },
  };
}

function notLogout(reason: string): ServiceError {
  return invalidPayload([{ path: "logout_token", message: `is no logout token for this service: ${reason}` }]);
}

function discover({ issuer, client_id: clientId, client_secret_file: secret }: SignIn): Promise<Configuration> {
  const url = new URL(issuer);
  const metadata = { [clockTolerance]: clockToleranceS };
  return discovery(url, clientId, metadata, secret === undefined ? None() : authenticationBy(secret), {
    [customFetch]: (address, options) => fetchLimited(address, options as RequestInit),
    timeout: patienceMs / 1_000,
    execute: [enableNonRepudiationChecks, ...(url.protocol === "http:" ? [allowInsecureRequests] : [])],
  });
}

/** Sends the secret in a header, unless the provider takes it in the body alone. */
function authenticationBy(secret: string): ClientAuth {
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods } = server;
    const isHeaderTaken = !methods || methods.includes("client_secret_basic");
    return (isHeaderTaken ? inHeader : inBody)(server, ...request);
  };
}
