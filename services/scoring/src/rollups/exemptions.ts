import {
  type AppliesFacts,
  type AppliesRule,
  type Exemption,
  findExemptions,
  type WeighedScorecard,
} from "@maturity/core";
import { excludedInOrder, isExempt, metricIds } from "@maturity/core/wire";
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

/** The shares of the weight of a scorecard without a score, or of several, that do not count. */
export interface UnscoredShares {
  readonly waived: number;
  readonly exempt: number;
  /** Whether nothing of it counts. A sum of the shares may miss 1. */
  readonly isWhole: boolean;
}

/** The shares of the whole weight that do not count, and those of each scorecard of which anything does not. */
export interface ExcludedShares {
  readonly waived: number;
  readonly exempt: number;
  readonly scorecards: ReadonlyMap<string, UnscoredShares>;
}

const noShares: ExcludedShares = { waived: 0, exempt: 0, scorecards: new Map() };

/** Applications with equal facts and without waivers share a list, and so its shares. */
const known = new WeakMap<Excluded, ExcludedShares>();

/**
 * The shares of the weight that do not count.
 *
 * @param excluded by what each metric is left out, in the order of the metrics of all scorecards
 */
export function excludedShares(scorecards: readonly WeighedScorecard[], excluded: Excluded): ExcludedShares {
  if (excluded.length === 0) return noShares;
  const shares = known.get(excluded) ?? sharesOf(scorecards, excluded);
  known.set(excluded, shares);
  return shares;
}

/** Adds up the weights of what does not count: within each scorecard, and of these parts over all scorecards. */
function sharesOf(scorecards: readonly WeighedScorecard[], excluded: Excluded): ExcludedShares {
  const found = new Map<string, UnscoredShares>();
  const whole = { weight: 0, waived: 0, exempt: 0 };
  let index = 0; // of the metric among those of all scorecards
  for (const { name, weight, metrics } of scorecards) {
    const card = { weight: 0, waived: 0, exempt: 0 };
    let counting = metrics.length;
    for (const metric of metrics) {
      const by = excluded[index++];
      card.weight += metric.weight;
      if (!by) continue;
      counting--;
      card[isExempt(by) ? "exempt" : "waived"] += metric.weight;
    }
    const [waived, exempt] = [card.waived / card.weight, card.exempt / card.weight];
    if (counting < metrics.length) found.set(name, { waived, exempt, isWhole: counting === 0 });
    whole.weight += weight;
    whole.waived += weight * waived;
    whole.exempt += weight * exempt;
  }
  return { waived: whole.waived / whole.weight, exempt: whole.exempt / whole.weight, scorecards: found };
}
