import type { Level, Scorecard } from "@maturity/core";
import type { Fact } from "../../src/model/fact.ts";
import { announceChanges } from "../../src/notifications/standings/announce-changes.ts";
import { compareLevels } from "../../src/notifications/standings/compare-levels.ts";
import { notifyFile, secretOf, usePeer } from "./peers.ts";
import { shippedEngine, type TestService, useService } from "./service.ts";

export const scorecards: readonly Scorecard[] = shippedEngine.scorecards;
export const levels: readonly Level[] = [
  { name: "bronze", minScore: 40 },
  { name: "silver", minScore: 60, minFresh: 0.05, noOpenProblems: "high" },
  { name: "gold", minScore: 80, metrics: { "security.secret_scan": 100 }, noOpenProblems: "low" },
];

/** A service with a webhook that gets all facts. */
export async function useWatched(options: object = {}): Promise<{
  service: TestService;
  peer: Awaited<ReturnType<typeof usePeer>>;
}> {
  const peer = await usePeer();
  const notify = await notifyFile(
    `destinations: { peer: { kind: webhook, url: "${peer.url}", secret_file: secret, allow_private: true } }
routes: [{ types: ["score.*", "level.*"], to: [peer] }]`,
    { secret: secretOf("one") },
  );
  const service = await useService({ notify, levels, ...options });
  return { service, peer };
}

export interface Watched {
  readonly service: TestService;
  /** The policy of which this is the watcher. */
  readonly policy?: number;
}

/** Looks for what is to be announced, as an instance does, and gives the facts. */
export async function look({ service: { database, notifications }, policy = 0 }: Watched): Promise<Fact[]> {
  const announced: Fact[] = [];
  const facts = {
    store: (trx: Parameters<typeof notifications.facts.store>[0], some: readonly Fact[]) => {
      announced.push(...some);
      return notifications.facts.store(trx, some);
    },
  };
  const { signal } = new AbortController();
  const deps = { database, rules: { scorecards, levels, applies: [] }, policy, facts, signal };
  await compareLevels(deps);
  await announceChanges(deps);
  return announced;
}

/** What is announced, without the id in the subject and the condition of the next level. */
export interface News {
  readonly type: string;
  readonly app: string | null;
  readonly env: string | null;
  readonly from: unknown;
  readonly to: unknown;
}

/** A number to six decimals, and anything else as it is. */
export const rounded = (value: unknown): unknown => (typeof value === "number" ? Math.round(value * 1e6) / 1e6 : value);

export function shown({ type, app, env, data: { from, to } }: Fact): News {
  return { type, app, env, from: rounded(from), to: rounded(to) };
}
