import Joi from "joi";
import { withRule } from "../model/fields.ts";

/** Whether a URL uses https, or http to this machine. */
export function isSafeUrl(url: URL): boolean {
  return (
    url.protocol === "https:" || (url.protocol === "http:" && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname))
  );
}

/** The schema of an address in a settings file: https, or http to this machine, without a query or a password. */
export function safeAddress(reason: string): Joi.StringSchema {
  return withRule(Joi.string(), (text: string) => {
    const url = URL.parse(text);
    return url && isSafeUrl(url) && !/[?#@]/.test(text) ? undefined : reason;
  });
}

/** The schema of an issuer, which must equal the `iss` claim. */
export const issuerUrl: Joi.StringSchema = safeAddress(
  "must be the address of the issuer, https://…, as in its iss claim",
);
