import { defineMetric, type Metric, passFail } from "@maturity/core";
import Joi from "joi";
import { rawObject } from "./raw.ts";

/** A practice that is in place or not. */
export interface Enabled {
  readonly enabled: boolean;
}

/** 0 and 1 are accepted too. */
const enabled = Joi.alternatives(Joi.boolean(), Joi.valid(0, 1))
  .required()
  .custom(Boolean)
  .messages({ "any.required": "is required", "*": "must be true or false" });

/** A metric of one flag: 100 when `enabled`, 0 otherwise. */
export function enabledMetric<const Name extends string>(about: {
  readonly name: Name;
  readonly title: string;
  readonly weight: number;
  readonly pass: string;
  readonly fail: string;
}): Metric<Enabled, Name> {
  const { name, title, weight, pass, fail } = about;
  return defineMetric({
    name,
    title,
    weight,
    raw: rawObject<Enabled>({ enabled }),
    score: passFail("enabled", { passes: true, pass, fail }),
    better: { enabled: "higher" },
  });
}
