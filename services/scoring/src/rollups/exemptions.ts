import {
  type AppliesFacts,
  type AppliesRule,
  type Exemption,
  findExemptions,
  type WeighedScorecard,
} from "@maturity/core";
import { excludedInOrder, metricIds } from "@maturity/core/wire";
import type { RegisteredApp } from "../store/apps.ts";
import { fieldsOf } from "./applies-sql.ts";
import type { OrganisationRules } from "./rules.ts";
import type { ScoreWaiver } from "./waivers.ts";

/** What the policy exempts an application from. Applications with equal facts share it. */
export interface Exemptions {
  /** In the order of the scorecards and their metrics; empty if it is nothing. */
  readonly inOrder: readonly (Exemption | undefined)[];
  /** The metrics as `scorecard.metric`, sorted and joined by spaces; empty if there are none. */
  readonly metrics: string;
}

/** What keeps each metric of an application from counting; empty if nothing does. */
export type Excluded = readonly (Exemption | ScoreWaiver | undefined)[];

export const noExemptions: Exemptions = { inOrder: [], metrics: "" };

/** The facts of an application by which rules fit it. One that is not registered has no tier and no labels. */
export type Judged = Pick<RegisteredApp, "tier" | "labels">;

/**
 * Makes a function that finds what an application is exempt from. It evaluates the rules once for equal facts.
 *
 * @param asOf the time of the snapshot
 */
export function createExemptions(
  { scorecards, applies = [] }: OrganisationRules,
  asOf: Date,
): (env: string, registration: Judged | undefined) => Exemptions {
  if (applies.length === 0) return () => noExemptions;
  const { usesTier, labels, usesEnv } = fieldsOf(applies);
  const found = new Map<string, Exemptions>();
  return (env, registration) => {
    let key = usesEnv ? env : "";
    if (usesTier) key += keyOf(registration?.tier ?? undefined);
    for (const label of labels) key += keyOf(ownLabel(registration?.labels, label));
    let exemptions = found.get(key);
    if (!exemptions) {
      exemptions = exemptionsOf(scorecards, applies, { env, ...registration }, asOf);
      found.set(key, exemptions);
    }
    return exemptions;
  };
}

function exemptionsOf(
  scorecards: readonly WeighedScorecard[],
  applies: readonly AppliesRule[],
  facts: AppliesFacts,
  asOf: Date,
): Exemptions {
  const inOrder = excludedInOrder(scorecards, findExemptions(applies, facts, asOf));
  const names = metricIds(scorecards).filter((_, index) => inOrder[index]);
  return names.length === 0 ? noExemptions : { inOrder, metrics: names.sort().join(" ") };
}

/** What was recorded that an application was exempt from. @param metrics as `Exemptions` has them */
export function recordedExemptions(metrics: string, scorecards: readonly WeighedScorecard[]): Exemptions {
  const exemptions = metrics.split(" ").map((name): Exemption => {
    const [scorecard = "", metric] = name.split(".");
    return { scorecard, metric, exempt: "not_applicable", reason: "" };
  });
  return { inOrder: excludedInOrder(scorecards, exemptions), metrics };
}

/** No stored text has a NUL. */
function keyOf(value: string | undefined): string {
  return value === undefined ? "\0" : `\0=${value}`;
}

/** The value of a label that an application has itself, whatever its name. */
export function ownLabel(labels: Judged["labels"] | undefined, name: string): string | undefined {
  return labels && Object.hasOwn(labels, name) ? labels[name] : undefined;
}

/** What keeps the metrics of an application from counting. What is both exempt and waived is exempt. */
export function excludedOf(
  scorecards: readonly WeighedScorecard[],
  { inOrder }: Exemptions,
  waivers: readonly ScoreWaiver[],
): Excluded {
  if (waivers.length === 0) return inOrder;
  const waived = excludedInOrder(scorecards, waivers);
  return inOrder.length === 0 ? waived : waived.map((waiver, index) => inOrder[index] ?? waiver);
}
