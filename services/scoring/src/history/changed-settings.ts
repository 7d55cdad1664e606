import { type ChangedSetting, changesBetween, type RecordedRules } from "../policy/recorded.ts";
import type { Database } from "../store/database.ts";
import { orStoreError } from "../store/failures.ts";
import { lastPolicy, policyAt } from "../store/policies.ts";

/** The most settings that are named; the last text says how many more there are. */
const mostNamed = 4;

/** What moves scores of the settings that differ since a day, as texts: weights, and to whom metrics apply. */
export interface ChangedSettings {
  readonly weights: readonly string[];
  readonly applies: readonly string[];
}

/** Reads which settings of the rules differ from the first moment of a day. Before the first recorded rules none is known. */
export async function readChangedSettings({ reads }: Database, day: string): Promise<ChangedSettings> {
  const former = await orStoreError(policyAt<RecordedRules>(reads, day));
  const now = former && (await orStoreError(lastPolicy<RecordedRules>(reads)));
  const changes = now ? changesBetween(former, now.policy) : [];
  return {
    weights: textsOf(changes.filter(({ setting }) => setting.startsWith("weights."))),
    applies: textsOf(changes.filter(({ setting }) => setting.startsWith("applies."))),
  };
}

function textsOf(changes: readonly ChangedSetting[]): readonly string[] {
  const texts = changes.map(({ setting, from, to }) => `${setting} ${from ?? "none"} → ${to ?? "none"}`);
  const more = texts.length - mostNamed;
  return more > 0 ? [...texts.slice(0, mostNamed), `${more} more settings`] : texts;
}
