import Joi from "joi";
import { withRule } from "../../model/fields.ts";

/** What a text must be that is no address. */
const form = "must be an address such as https://hooks.example.com/maturity, without a user and a password";

/** The address of a peer: https, or http, without a user and a password, which the log of a proxy would repeat. */
export const webAddress: Joi.StringSchema = withRule(Joi.string(), (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isGood = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isGood ? undefined : form;
});
