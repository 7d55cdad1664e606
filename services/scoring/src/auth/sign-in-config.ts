import { createHash } from "node:crypto";
import Joi from "joi";
import { text } from "../model/fields.ts";
import { mapping } from "../model/near-name.ts";
import { secretFile } from "../model/settings-file.ts";
import type { ClaimRule } from "./claim-rules.ts";
import { issuerUrl, safeAddress } from "./issuer-url.ts";
import { signInRule } from "./rule-schema.ts";

/** How people sign in, in the spelling of the file. */
export interface SignIn {
  /** The provider's `iss`, character by character. */
  readonly issuer: string;
  readonly client_id: string;
  /** The content of the file; absent for a public client. */
  readonly client_secret_file?: string;
  /** What the provider is asked for, separated by blanks. */
  readonly scopes: string;
  /** The claim that is shown to a person whom no rule fits. */
  readonly groups_claim: string;
  /** The address of the service for browsers, without `/` at its end; by default as the request shows it. */
  readonly public_url?: string;
  /** Whom to ask for access. */
  readonly contact?: string;
  readonly rules: readonly SignInRule[];
  /** Hash of all that decides what a person may do. A session ends when it changes. */
  readonly version: string;
}

/** A rule that grants something, or takes a scope away that every reader has. */
export type SignInRule = Pick<ClaimRule, "match"> &
  (
    | { readonly grant: ClaimRule["grant"]; readonly deny?: undefined }
    | { readonly grant?: undefined; readonly deny: readonly "waiver:request"[] }
  );

/** The schema of `sign_in`. Its context holds the `folder` in which relative paths begin. */
export const signInSchema: Joi.ObjectSchema = mapping({
  issuer: issuerUrl.required(),
  client_id: Joi.string().required(),
  client_secret_file: secretFile,
  scopes: Joi.string()
    .pattern(/(?:^|\s)openid(?:\s|$)/, { name: "a text with openid, such as openid profile email" })
    .default("openid profile email"),
  groups_claim: Joi.string().default("groups"),
  public_url: safeAddress("must be the address of this service for browsers, https://…"),
  contact: text(1, 200),
  rules: Joi.array().items(signInRule).min(1).required(),
}).custom(signInOf);

function signInOf({ public_url, ...written }: Omit<SignIn, "version">): SignIn {
  const { issuer, client_id, scopes, groups_claim, rules } = written;
  const decisive = JSON.stringify([issuer, client_id, scopes, groups_claim, rules]);
  const version = createHash("sha256").update(decisive).digest("hex");
  return { ...written, ...(public_url !== undefined && { public_url: public_url.replace(/\/$/, "") }), version };
}
