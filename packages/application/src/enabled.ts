import { defineMetric, type Metric, passFail } from "@maturity/core";

/** A practice that is in place or not. */
export interface Enabled {
  readonly enabled: boolean;
}

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
    maxAgeHours: 90 * 24,
    score: passFail("enabled", { passes: true, pass, fail }),
  });
}
