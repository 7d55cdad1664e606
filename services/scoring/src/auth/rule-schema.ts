import Joi from "joi";
import { name, withRule } from "../model/fields.ts";
import { scopes, scopesFault } from "../model/grant.ts";
import { mapping } from "../model/near-name.ts";
import { type ClaimRule, patternFault, placeholders } from "./claim-rules.ts";

const boundText = name(200).pattern(/^(?:[^{}]|\{[a-z]+\})*$/, { name: "a text in which braces stand as {name}" });

const match = withRule(
  Joi.object().pattern(Joi.string(), withRule(Joi.string(), patternFault)).min(1).required(),
  repeatedName,
);

const grant = mapping({
  scopes: withRule(
    Joi.array()
      .items(Joi.valid(...scopes))
      .min(1)
      .unique()
      .required(),
    scopesFault,
  ),
  area: boundText,
  team: boundText,
  app: boundText,
});

/** A rule for ID tokens of pipelines. */
export const pipelineRule: Joi.ObjectSchema = withRule(mapping({ match, grant: grant.required() }), unknownName);

const deny = Joi.array().items(Joi.valid("waiver:request")).min(1).unique();

/** A rule for people, which grants, or takes a scope away. */
export const signInRule: Joi.ObjectSchema = withRule(mapping({ match, grant, deny }).xor("grant", "deny"), unknownName);

function repeatedName(match: ClaimRule["match"]): string | undefined {
  const names = Object.values(match).flatMap(placeholders);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : `takes {${twice}} twice`;
}

function unknownName(rule: Pick<ClaimRule, "match"> & Partial<ClaimRule>): string | undefined {
  const matched = new Set(Object.values(rule.match).flatMap(placeholders));
  const { scopes: _, ...bounds } = rule.grant ?? {};
  const granted = Object.values(bounds as Readonly<Record<string, string>>).flatMap(placeholders);
  const unknown = granted.find((name) => !matched.has(name));
  return unknown === undefined ? undefined : `grants {${unknown}}, which no claim takes`;
}
