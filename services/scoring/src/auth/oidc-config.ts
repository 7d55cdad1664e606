import Joi from "joi";
import { withRule } from "../model/fields.ts";
import { mapping } from "../model/near-name.ts";
import { loadSettings, readSettings } from "../model/settings-file.ts";
import type { ClaimRule } from "./claim-rules.ts";
import { issuerUrl } from "./issuer-url.ts";
import { pipelineRule } from "./rule-schema.ts";
import { type SignIn, signInSchema } from "./sign-in-config.ts";

/** The accepted issuers of ID tokens and what each token may do, and how people sign in. */
export interface OidcConfig {
  /** The `aud` claim that an ID token must have; empty if there are no issuers. */
  readonly audience: string;
  readonly issuers: readonly Issuer[];
  /** Absent if nobody can sign in. */
  readonly signIn?: SignIn;
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

const rules = Joi.array().items(pipelineRule).min(1).required();
const issuer = withRule(mapping({ url: issuerUrl.required(), rules }), openRule);

const withoutSignIn = { is: Joi.exist(), otherwise: Joi.required() };

const schema = mapping({
  audience: Joi.string()
    .when("issuers", { not: Joi.exist(), otherwise: Joi.required() })
    .when("sign_in", withoutSignIn),
  issuers: Joi.array().items(issuer).min(1).unique("url").when("sign_in", withoutSignIn),
  sign_in: signInSchema,
});

const messages = {
  "array.unique": "stands there twice",
  "object.missing": "must have grant or deny",
  "object.xor": "must have grant or deny, not both",
  "string.empty": "is not allowed to be empty",
  "string.pattern.name": "must be {{#name}}",
};

const kind = "OIDC_CONFIG";

/** Reads the file of OIDC_CONFIG. @throws OperatorError if the file cannot be read, or with every fault of it */
export async function loadOidcConfig(file: string): Promise<OidcConfig> {
  return parseOidcConfig(await loadSettings(kind, file), file);
}

/**
 * Parses a file of OIDC_CONFIG, in YAML or JSON. Every scalar is read as a text, so that `no`, `1.10` and ids keep
 * their form. The file with the client secret is read as well.
 *
 * @param file its path, for messages and for relative paths in it
 * @throws OperatorError listing every fault with its line
 */
export function parseOidcConfig(text: string, file: string): OidcConfig {
  const of = { kind, schema, messages, yaml: { schema: "failsafe" } } as const;
  const settings = readSettings<Partial<OidcConfig> & { readonly sign_in?: SignIn }>(text, file, of);
  const { audience = "", issuers = [], sign_in: signIn } = settings;
  return { audience, issuers, ...(signIn && { signIn }) };
}

/** The fault of a public issuer with a rule that does not name the owner of the pipeline. */
function openRule(issuer: Issuer): string | undefined {
  if (!publicIssuers.includes(issuer.url)) return undefined;
  const hasOwnerClaim = ({ match }: ClaimRule) => owners.some((claim) => /^[^*{/]+(?:\/|$)/.test(match[claim] ?? ""));
  const open = issuer.rules.findIndex((rule) => !hasOwnerClaim(rule));
  if (open < 0) return undefined;
  return `lets strangers in by rules[${open}], since anybody can get its ID tokens: match repository, repository_owner, project_path or namespace_path, or the id of one, without a wildcard before the first /`;
}
