import { nameFault } from "@maturity/core";
import { ServiceError } from "../model/errors.ts";
import type { Bounds, Grant, Scope } from "../model/grant.ts";

/** Which ID tokens of an issuer a rule is for, and what it grants them. */
export interface ClaimRule {
  /** Claim → pattern. All have to fit; a claim that the token does not have never does. */
  readonly match: Readonly<Record<string, string>>;
  readonly grant: {
    readonly scopes: readonly Scope[];
    /** As in a token's bounds; `{name}` stands for what `{name}` took of a claim. */
    readonly area?: string;
    readonly team?: string;
    readonly app?: string;
  };
}

/** What an ID token says; not to be believed before its signature is checked. */
export type Claims = Readonly<Record<string, unknown>>;

const placeholder = /\{([a-z]+)\}/g;
const literal = "[^*{}/]*";
const part = `${literal}(?:(?:\\*|\\{[a-z]+\\})${literal})?`;
const pattern = new RegExp(`^${part}(?:/${part})*(?:/\\*\\*)?$`);

/**
 * What is wrong with a pattern, or undefined. Between two `/` may stand one `*` or `{name}`, so that there is only one way
 * in which a claim can fit.
 */
export function patternFault(text: string): string | undefined {
  return pattern.test(text)
    ? undefined
    : "may hold one * or {name} between two /, and ** as all that follows the last /; {name} takes small letters";
}

/** The names of the placeholders in a text, in order. */
export function placeholders(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name]) => name as string);
}

/**
 * Makes of rules the answer to what an ID token may do: the grant of the first rule that fits, or undefined. The answer
 * throws ServiceError `forbidden` where that rule makes of the claims a bound that is no name.
 *
 * @param rules whose patterns are without fault
 */
export function compileRules(rules: readonly ClaimRule[]): (claims: Claims) => Grant | undefined {
  const compiled = rules.map(compileRule);
  return (claims) => {
    for (const grantTo of compiled) {
      const grant = grantTo(claims);
      if (grant) return grant;
    }
    return undefined;
  };
}

function compileRule({ match, grant: { scopes, ...texts } }: ClaimRule): (claims: Claims) => Grant | undefined {
  const patterns = Object.entries(match).map(([claim, text]) => [claim, expression(text)] as const);
  return (claims) => {
    const taken: Record<string, string> = {};
    for (const [claim, expected] of patterns) {
      const found = expected.exec(textOf(claims, claim) ?? "");
      if (!found) return undefined;
      Object.assign(taken, found.groups);
    }
    const bounds: Bounds = Object.fromEntries(
      Object.entries(texts).map(([field, text]) => {
        const name = text.replace(placeholder, (_, placed) => taken[placed] ?? "");
        return [field, requireName(field, name)];
      }),
    );
    return { name: textOf(claims, "sub") ?? "an ID token", scopes, bounds };
  };
}

function requireName(field: string, text: string): string {
  const fault = nameFault(text);
  if (fault === undefined) return text;
  const message = `the ${field} that the claims of this ID token name ${fault}`;
  throw new ServiceError("forbidden", message, { details: [{ path: field, message: fault }] });
}

/** Wildcards stand for one character at least, so that no pattern fits the empty text that an absent claim counts as. */
function expression(text: string): RegExp {
  const source = text.replace(/\*\*|\*|\{([a-z]+)\}|[^*{]+/g, (token, name?: string) => {
    if (token === "**") return ".+";
    if (token === "*") return "[^/]+";
    return name === undefined ? token.replace(/[$()+.?[\\\]^|]/g, "\\$&") : `(?<${name}>[^/]+)`;
  });
  return new RegExp(`^${source}$`, "s");
}

/** A claim as text: GitHub writes all of them as texts, GitLab some as booleans or numbers. Lists and objects have none. */
export function textOf(claims: Claims, claim: string): string | undefined {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value)
    ? String(value)
    : undefined;
}
