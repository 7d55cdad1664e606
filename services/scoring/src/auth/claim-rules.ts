import { nameFault } from "@maturity/core/wire";
import { ServiceError } from "../model/errors.ts";
import type { GrantPart, Scope } from "../model/grant.ts";

/** A rule that matches ID tokens of an issuer and grants scopes and bounds. */
export interface ClaimRule {
  /**
   * Patterns by claim. A token matches if each of these claims is present and fits its pattern. A list fits if one of
   * its items does.
   */
  readonly match: Readonly<Record<string, string>>;
  readonly grant: {
    readonly scopes: readonly Scope[];
    /** A bound, as of an access token. `{name}` stands for the text that `{name}` matched in a claim. */
    readonly area?: string;
    readonly team?: string;
    readonly app?: string;
  };
}

/** The content of an ID token. It must not be trusted before the signature is checked. */
export type Claims = Readonly<Record<string, unknown>>;

const placeholder = /\{([a-z]+)\}/g;
const literal = "[^*{}/]*";
const part = `${literal}(?:(?:\\*|\\{[a-z]+\\})${literal})?`;
const pattern = new RegExp(`^${part}(?:/${part})*(?:/\\*\\*)?$`);

/**
 * The fault of a pattern, or undefined. A part between two `/` has at most one `*` or `{name}`, so there is only one
 * way to match a claim.
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
 * Compiles rules to a function that yields what they grant, rule by rule. A rule that matches a list by a placeholder
 * grants a part for each fitting item, but none if that fills a bound with an invalid name.
 *
 * @param rules with valid patterns
 * @param path of the rules in the file, such as `issuers[0].rules`
 * @param refuse is called with each invalid name. By default it throws ServiceError `forbidden`.
 */
export function compileRules(
  rules: readonly ClaimRule[],
  path: string,
): (claims: Claims, refuse?: Refuse) => Generator<GrantPart> {
  const compiled = rules.map((rule, index) => compileRule(rule, `${path}[${index}]`));
  return function* grantsTo(claims, refuse = forbid) {
    for (const grantsOf of compiled) yield* grantsOf(claims, refuse);
  };
}

/** Takes an invalid name that the claims of an ID token give a bound, and the fault. */
export type Refuse = (field: string, name: string, fault: string) => void;

type Matched = Readonly<Record<string, string>>;

function compileRule(
  { match, grant: { scopes, ...texts } }: ClaimRule,
  rule: string,
): (claims: Claims, refuse: Refuse) => Generator<GrantPart> {
  const patterns = Object.entries(match).map(([claim, text]) => [claim, expression(text)] as const);

  /** Yields the texts of the placeholders for each way to match the claims from an index on. */
  function* matches(claims: Claims, index = 0): Generator<Matched> {
    const [claim, expected] = patterns[index] ?? [];
    if (claim === undefined || !expected) return yield {};
    for (const text of textsOf(claims, claim)) {
      const found = expected.exec(text);
      if (!found) continue;
      for (const others of matches(claims, index + 1)) yield { ...found.groups, ...others };
      if (!found.groups) return; // another item would match in the same way
    }
  }

  return function* grantsOf(claims, refuse) {
    for (const matched of matches(claims)) {
      const names = Object.entries(texts).map(([field, text]) => {
        const name = text.replace(placeholder, (_, placed) => matched[placed] ?? "");
        return { field, name, fault: nameFault(name) };
      });
      const invalid = names.find(({ fault }) => fault !== undefined);
      if (invalid?.fault !== undefined) refuse(invalid.field, invalid.name, invalid.fault);
      else yield { scopes, bounds: Object.fromEntries(names.map(({ field, name }) => [field, name])), rule };
    }
  };
}

function forbid(field: string, _: string, fault: string): void {
  const message = `the ${field} that the claims of this ID token name ${fault}`;
  throw new ServiceError("forbidden", message, { details: [{ path: field, message: fault }] });
}

/** A wildcard matches at least one character, so no pattern matches an absent claim, which counts as empty. */
function expression(text: string): RegExp {
  const source = text.replace(/\*\*|\*|\{([a-z]+)\}|[^*{]+/g, (token, name?: string) => {
    if (token === "**") return ".+";
    if (token === "*") return "[^/]+";
    return name === undefined ? token.replace(/[$()+.?[\\\]^|]/g, "\\$&") : `(?<${name}>[^/]+)`;
  });
  return new RegExp(`^${source}$`, "s");
}

/**
 * A claim as text; undefined for a list or an object. GitHub sends all claims as texts, GitLab some as booleans or
 * numbers.
 */
export function textOf(claims: Claims, claim: string): string | undefined {
  return Array.isArray(claims[claim]) ? undefined : textsOf(claims, claim)[0];
}

/** The texts of a claim: several if it is a list, such as groups. */
export function textsOf(claims: Claims, claim: string): string[] {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const isText = (one: unknown) => typeof one === "string" || typeof one === "boolean" || Number.isSafeInteger(one);
  return [value].flat().filter(isText).map(String);
}
