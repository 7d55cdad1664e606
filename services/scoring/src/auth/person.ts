import { nameFault } from "@maturity/core/wire";
import { ServiceError } from "../model/errors.ts";
import type { Grant, GrantPart } from "../model/grant.ts";
import { type Claims, compileRules, textOf, textsOf } from "./claim-rules.ts";
import type { SignIn } from "./sign-in-config.ts";

/** A person that has signed in. */
export interface Person {
  /** Without parts if no rule fits. */
  readonly grant: Grant;
  /** The groups that the provider names. */
  readonly groups: readonly string[];
  /** How many parts are not in the grant, because it has too many. */
  readonly leftOut: number;
  /** The invalid names that the claims give a bound, each with its fault and its rule. They grant nothing. */
  readonly refused: readonly string[];
  /** The session at the provider, if it names one. */
  readonly sid?: string | undefined;
}

/** The longest subject, in characters: https://openid.net/specs/openid-connect-core-1_0.html#IDToken */
const maxSubject = 255;

/** The largest number of parts of a person's grant. Further ones are left out. */
const maxParts = 200;

/**
 * Compiles the rules for people. Every rule that fits grants its part, and whoever may read may also ask for waivers, unless
 * a rule takes that away. A rule sees an e-mail address only if the provider has verified it.
 *
 * @returns a function that throws ServiceError `forbidden` if the subject holds what no name may hold
 */
export function compilePeople({ issuer, groups_claim, rules }: SignIn): (claims: Claims) => Person {
  const compiled = rules.map(({ match, grant, deny = [] }, index) => {
    const grantsTo = compileRules([{ match, grant: grant ?? { scopes: deny } }], "");
    return { deny: deny.length > 0, rule: `sign_in.rules[${index}]`, grantsTo };
  });

  return (claims) => {
    const { email, ...others } = claims;
    const isVerified = String(claims.email_verified) === "true";
    const seen = isVerified ? claims : others;
    const denied = compiled.some(({ deny, grantsTo }) => deny && grantsTo(seen).next().done === false);
    const refused: string[] = [];
    const fitting = compiled
      .filter(({ deny }) => !deny)
      .flatMap(({ rule, grantsTo }) => {
        const parts = grantsTo(seen, (field, name, fault) => refused.push(`${rule}: the ${field} ${fault}: ${name}`));
        return [...parts].map((part) => ({ ...part, rule }));
      });
    const parts = fitting.slice(0, maxParts);
    const subject = String(claims.sub);
    const fault = nameFault(subject, maxSubject);
    if (fault !== undefined) throw new ServiceError("forbidden", `the subject that the provider names ${fault}`);
    const address = isVerified ? textOf(claims, "email") : undefined;
    return {
      grant: {
        name: address !== undefined && nameFault(address, maxSubject) === undefined ? address : subject,
        caller: JSON.stringify([issuer, subject]),
        issuer,
        parts: parts.map((part) => withRequests(part, denied)).filter(({ scopes }) => scopes.length > 0),
      },
      groups: textsOf(claims, groups_claim),
      leftOut: fitting.length - parts.length,
      refused,
      sid: textOf(claims, "sid"),
    };
  };
}

function withRequests(part: GrantPart, denied: boolean): GrantPart {
  const scopes = part.scopes.filter((scope) => scope !== "waiver:request");
  const mayRequest = !denied && (part.scopes.length > scopes.length || part.scopes.includes("read"));
  return { ...part, scopes: mayRequest ? [...scopes, "waiver:request"] : scopes };
}
