import type { AppliesRule, AppliesTo } from "@maturity/core";
import { nameFault } from "@maturity/core/wire";
import Joi from "joi";
import { dayParameter } from "../model/day.ts";
import { name } from "../model/fields.ts";
import { mapping } from "../model/near-name.ts";

/** The largest number of rules in a policy. */
const maxRules = 200;

/** A rule in the form of policy files. */
export interface WrittenRule extends Omit<AppliesRule, "scorecard" | "metric"> {
  /** A metric as `scorecard.metric`, or a scorecard. */
  readonly metric: string;
}

/** The text of a tier or a label. YAML reads `2` as a number and `true` as a flag. */
const value = Joi.any().custom((written: unknown, { message }) => {
  const isText = typeof written === "string" || typeof written === "number" || typeof written === "boolean";
  const fault = isText ? nameFault(String(written), 1_000) : "must be a text or a number";
  return fault === undefined ? String(written) : message({ custom: "{{#fault}}" }, { fault });
});

/** A list, or its only value, which becomes a list. */
const oneOrMore = (one: Joi.Schema) => Joi.array().items(one).single().min(1);

const labels = Joi.object()
  .pattern(name(200), oneOrMore(value))
  .min(1)
  .messages({ "object.unknown": "must have a name of 1 to 200 printable characters, without a space at either end" });

const condition = mapping({ tier: oneOrMore(value), labels, env: oneOrMore(name(200)) }).min(1);

/**
 * The schema of `applies`.
 *
 * @param metric the schema of the name of a metric or a scorecard
 */
export function appliesSchema(metric: Joi.Schema): Joi.ArraySchema {
  const rule = mapping({ metric: metric.required(), when: condition, unless: condition, from: dayParameter })
    .or("when", "unless", "from")
    .messages({ "object.missing": "must have when, unless or from" });
  return Joi.array().items(rule).max(maxRules);
}

/** Reads a rule from its written form. */
export function ruleFrom({ metric: written, ...rule }: WrittenRule): AppliesRule {
  const [scorecard = "", metric] = written.split(".");
  return { scorecard, ...(metric !== undefined && { metric }), ...rule };
}

/** The name of what a rule is for, as a policy file has it. */
export function subjectOf({ scorecard, metric }: AppliesRule): string {
  return metric === undefined ? scorecard : `${scorecard}.${metric}`;
}

/** A rule in one line, such as `when tier=1,2 kind=service; from 2026-12-01`. */
export function textOfRule({ when, unless, from }: AppliesRule): string {
  const parts = [when && `when ${textOf(when)}`, unless && `unless ${textOf(unless)}`, from && `from ${from}`];
  return parts.filter(Boolean).join("; ");
}

function textOf({ tier, labels = {}, env }: AppliesTo): string {
  const fields = [...(tier ? [["tier", tier] as const] : []), ...Object.entries(labels)];
  return [...fields, ...(env ? [["env", env] as const] : [])]
    .map(([field, values]) => `${plain(field)}=${values.map(plain).join(",")}`)
    .join(" ");
}

/** A text, in quotes where it has characters that the line uses. */
function plain(text: string): string {
  return /^[\p{L}\p{N}._/-]+$/u.test(text) ? text : JSON.stringify(text);
}
