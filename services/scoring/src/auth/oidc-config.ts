import { readYaml } from "@maturity/yaml";
import Joi from "joi";
import { ConfigError } from "../model/errors.ts";
import { faults, name } from "../model/fields.ts";
import { type Scope, scopes, scopesFault } from "../model/grant.ts";
import { mapping } from "../model/near-name.ts";
import { type ClaimRule, patternFault, placeholders } from "./claim-rules.ts";

/** The accepted issuers of ID tokens, and what each token may do. */
export interface OidcConfig {
  /** The `aud` claim that a token must have. */
  readonly audience: string;
  readonly issuers: readonly Issuer[];
}

/** An accepted issuer of ID tokens. */
export interface Issuer {
  /** The `iss` claim, character by character. The keys are found by `/.well-known/openid-configuration` below it. */
  readonly url: string;
  /** The first matching rule decides. */
  readonly rules: readonly ClaimRule[];
}

/** Issuers from which anybody can get an ID token. */
const publicIssuers = ["https://token.actions.githubusercontent.com", "https://gitlab.com"];

/** Claims of GitHub and GitLab that identify the owner of a pipeline and cannot be chosen by others. */
const owners = [
  ...["repository", "repository_id", "repository_owner", "repository_owner_id"],
  ...["project_path", "project_id", "namespace_path", "namespace_id"],
];

const claimPattern = Joi.string().custom((text: string, helpers) => {
  const reason = patternFault(text);
  return reason === undefined ? text : helpers.error("fault", { reason });
});

const boundText = name(200).pattern(/^(?:[^{}]|\{[a-z]+\})*$/, { name: "a text in which braces stand as {name}" });

const rule = mapping({
  match: Joi.object().pattern(Joi.string(), claimPattern).min(1).required().custom(refuseRepeatedNames),
  grant: mapping({
    scopes: Joi.array()
      .items(Joi.valid(...scopes))
      .min(1)
      .unique()
      .required()
      .custom(separateDuties),
    area: boundText,
    team: boundText,
    app: boundText,
  }).required(),
}).custom(refuseUnknownNames);

const issuer = mapping({
  url: Joi.string().required().custom(issuerUrl),
  rules: Joi.array().items(rule).min(1).required(),
}).custom(requireOwnerClaims);

const schema = mapping({
  audience: Joi.string().required(),
  issuers: Joi.array().items(issuer).min(1).unique("url").required(),
});

const preferences: Joi.ValidationOptions = {
  abortEarly: false,
  convert: false,
  errors: { label: false },
  messages: {
    fault: "{{#reason}}",
    "any.only": "must be one of {{#valids}}",
    "array.base": "must be a list",
    "array.min": "must have an entry",
    "array.unique": "stands there twice",
    "object.base": "must be a mapping",
    "object.min": "must have an entry",
    "string.base": "must be a text",
    "string.pattern.name": "must be {{#name}}",
  },
};

/**
 * Reads the file of OIDC_CONFIG, in YAML or JSON. Every scalar is read as a text, so that `no`, `1.10` and ids keep
 * their form.
 *
 * @param file its name, for the message
 * @throws ConfigError listing every fault
 */
export function parseOidcConfig(text: string, file: string): OidcConfig {
  const { value, error } = schema.validate(parseYaml(text, file), preferences);
  if (!error) return value;
  const found = faults(error).map(({ path, message }) => (path ? `${path} ${message}` : message));
  throw refusal(file, found);
}

function parseYaml(text: string, file: string): unknown {
  const { value, faults, warnings } = readYaml(text, { schema: "failsafe" });
  const [fault] = [...faults, ...warnings]; // the others follow from the first
  if (fault) throw refusal(file, [`line ${fault.line}: ${fault.message}`]);
  return value;
}

function refusal(file: string, faults: readonly string[]): ConfigError {
  return new ConfigError(`OIDC_CONFIG ${file} cannot be used:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
}

/** Whether a URL uses https, or http to this machine. */
export function isSafeUrl(url: URL): boolean {
  return (
    url.protocol === "https:" || (url.protocol === "http:" && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname))
  );
}

function issuerUrl(text: string, helpers: Joi.CustomHelpers): unknown {
  const url = URL.parse(text);
  return url && isSafeUrl(url) && !/[?#@]/.test(text)
    ? text
    : helpers.error("fault", { reason: "must be the address of the issuer, https://…, as in its iss claim" });
}

function separateDuties(granted: readonly Scope[], helpers: Joi.CustomHelpers): unknown {
  const reason = scopesFault(granted);
  return reason === undefined ? granted : helpers.error("fault", { reason });
}

function refuseRepeatedNames(match: ClaimRule["match"], helpers: Joi.CustomHelpers): unknown {
  const names = Object.values(match).flatMap(placeholders);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? match : helpers.error("fault", { reason: `takes {${twice}} twice` });
}

function refuseUnknownNames({ match, grant }: ClaimRule, helpers: Joi.CustomHelpers): unknown {
  const matched = new Set(Object.values(match).flatMap(placeholders));
  const { scopes: _, ...bounds } = grant;
  const granted = Object.values(bounds).flatMap(placeholders);
  const unknown = granted.find((name) => !matched.has(name));
  return unknown === undefined
    ? { match, grant }
    : helpers.error("fault", { reason: `grants {${unknown}}, which no claim takes` });
}

function requireOwnerClaims(issuer: Issuer, helpers: Joi.CustomHelpers): unknown {
  if (!publicIssuers.includes(issuer.url)) return issuer;
  const hasOwnerClaim = ({ match }: ClaimRule) => owners.some((claim) => /^[^*{/]+(?:\/|$)/.test(match[claim] ?? ""));
  const open = issuer.rules.findIndex((rule) => !hasOwnerClaim(rule));
  if (open < 0) return issuer;
  const reason = `lets strangers in by rules[${open}], since anybody can get its ID tokens: match repository, repository_owner, project_path or namespace_path, or the id of one, without a wildcard before the first /`;
  return helpers.error("fault", { reason });
}
