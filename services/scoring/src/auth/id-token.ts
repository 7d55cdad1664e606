import { cut } from "@maturity/core/wire";
import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import { ServiceError } from "../model/errors.ts";
import { maxShown } from "../model/fields.ts";
import { clockToleranceS } from "../model/limits.ts";
import { type Claims, compileRules, textOf } from "./claim-rules.ts";
import { algorithms, issuerKeys } from "./issuer-keys.ts";
import type { OidcConfig } from "./oidc-config.ts";
import { type TokenReader, unauthorized } from "./token-reader.ts";

/**
 * Largest accepted ID token, in characters. GitHub's have about 1,500; GitLab's have more if the user is in many
 * groups.
 */
const maxLength = 8_192;

/** Claims that identify a pipeline in an error message. None is secret. */
const shownClaims = ["repository", "project_path", "ref", "environment"];

/** Reads the ID tokens of these issuers. */
export function idTokens({ audience, issuers }: OidcConfig): TokenReader {
  const known = new Map(
    issuers.map(({ url, rules }, index) => {
      const options = { issuer: url, audience, algorithms, clockTolerance: clockToleranceS, requiredClaims: ["exp"] };
      const keys = issuerKeys(url);
      return [url, { keys, options, grantsTo: compileRules(rules, `issuers[${index}].rules`) }] as const;
    }),
  );

  return {
    recognises: (token) => token.startsWith("eyJ"),
    async read(token) {
      if (token.length > maxLength) throw unauthorized(`an ID token has at most ${maxLength} characters`);
      const iss = issuerOf(token);
      const issuer = known.get(iss);
      if (!issuer) throw unauthorized(`ID tokens of ${JSON.stringify(cut(iss, maxShown))} are not taken here`);
      const { payload } = await jwtVerify(token, issuer.keys.find, issuer.options).catch((error) => {
        throw error instanceof errors.JOSEError ? refusal(error, audience) : error;
      });
      const [part] = issuer.grantsTo(payload); // the first matching rule decides
      if (!part) throw new ServiceError("forbidden", `no rule of this service is for ${description(payload)}`);
      const expiresAt = new Date(Number(payload.exp) * 1_000);
      const name = textOf(payload, "sub") ?? "an ID token";
      const grant = { name, caller: JSON.stringify([iss, payload.sub]), parts: [part] };
      // At most as long as its key is cached; otherwise a withdrawn key would be trusted twice as long.
      const cacheMs = Math.min(issuer.keys.freshUntil(), expiresAt.getTime()) - Date.now();
      return { grant, cacheMs, expiresAt };
    },
  };
}

/** The issuer named in the token, which selects the keys. It is not trusted before the signature is checked. */
function issuerOf(token: string): string {
  try {
    return textOf(decodeJwt(token), "iss") ?? "";
  } catch {
    throw unauthorized("this is no ID token: it cannot be decoded");
  }
}

/** The 401 for a token that the library refuses, with what helps. */
function refusal(error: errors.JOSEError, audience: string): ServiceError {
  if (error instanceof errors.JWTExpired)
    return unauthorized("the ID token has expired; ask for it right before it is used");
  if (error instanceof errors.JWTClaimValidationFailed) {
    return unauthorized(
      error.claim === "aud"
        ? `the ID token is for another audience; ask for one with the audience ${JSON.stringify(audience)}`
        : `the claim ${error.claim} of the ID token is missing or does not hold`,
    );
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return unauthorized(`the ID token must be signed with one of ${algorithms.join(", ")}`);
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return unauthorized("the ID token is signed with a key that its issuer does not have");
  }
  const isForged = error instanceof errors.JWSSignatureVerificationFailed;
  return unauthorized(isForged ? "the signature of the ID token is wrong" : "the ID token is malformed");
}

function description(claims: Claims & JWTPayload): string {
  const shown = shownClaims.flatMap((claim) => {
    const text = textOf(claims, claim);
    return text === undefined ? [] : [`${claim} ${JSON.stringify(cut(text, maxShown))}`];
  });
  return shown.length > 0 ? shown.join(", ") : `ID tokens of ${claims.iss} with these claims`;
}
