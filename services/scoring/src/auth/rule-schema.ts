import Joi from "joi";
import { name } from "../model/fields.ts";
import { type Scope, scopes, scopesFault } from "../model/grant.ts";
import { mapping } from "../model/near-name.ts";
import { type ClaimRule, patternFault, placeholders } from "./claim-rules.ts";

const claimPattern = Joi.string().custom((text: string, helpers) => {
  const reason = patternFault(text);
  return reason === undefined ? text : helpers.error("fault", { reason });
});

const boundText = name(200).pattern(/^(?:[^{}]|\{[a-z]+\})*$/, { name: "a text in which braces stand as {name}" });

const match = Joi.object().pattern(Joi.string(), claimPattern).min(1).required().custom(refuseRepeatedNames);

const grant = mapping({
  scopes: Joi.array()
    .items(Joi.valid(...scopes))
    .min(1)
    .unique()
    .required()
    .custom(separateDuties),
  area: boundText,
  team: boundText,
  app: boundText,
});

/** A rule for ID tokens of pipelines. */
export const pipelineRule: Joi.ObjectSchema = mapping({ match, grant: grant.required() }).custom(refuseUnknownNames);

/** A rule for people, which grants, or takes a scope away. */
export const signInRule: Joi.ObjectSchema = mapping({
  match,
  grant,
  deny: Joi.array().items(Joi.valid("waiver:request")).min(1).unique(),
})
  .xor("grant", "deny")
  .custom(refuseUnknownNames);

function separateDuties(granted: readonly Scope[], helpers: Joi.CustomHelpers): unknown {
  const reason = scopesFault(granted);
  return reason === undefined ? granted : helpers.error("fault", { reason });
}

function refuseRepeatedNames(match: ClaimRule["match"], helpers: Joi.CustomHelpers): unknown {
  const names = Object.values(match).flatMap(placeholders);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? match : helpers.error("fault", { reason: `takes {${twice}} twice` });
}

function refuseUnknownNames(rule: Pick<ClaimRule, "match"> & Partial<ClaimRule>, helpers: Joi.CustomHelpers): unknown {
  const matched = new Set(Object.values(rule.match).flatMap(placeholders));
  const { scopes: _, ...bounds } = rule.grant ?? {};
  const granted = Object.values(bounds as Readonly<Record<string, string>>).flatMap(placeholders);
  const unknown = granted.find((name) => !matched.has(name));
  return unknown === undefined ? rule : helpers.error("fault", { reason: `grants {${unknown}}, which no claim takes` });
}
