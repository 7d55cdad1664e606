import type { Scorecard } from "@maturity/core";
import { metricIds } from "@maturity/core/wire";
import { readOrganisation } from "../../rollups/organisation.ts";
import type { RollUpRules } from "../../rollups/rules.ts";
import { readBadge, type StoredBadge } from "../../store/badges.ts";
import { shareAnswers } from "../../store/cache.ts";
import type { Database } from "../../store/database.ts";
import { withStore } from "../../store/failures.ts";
import { quoted, readSnapshot } from "../../store/lines.ts";

/** What a badge says. */
export interface BadgeContent {
  readonly label: string;
  readonly message: string;
  /** A name of a colour of badges. */
  readonly color: string;
}

/** What a badge says, and until when it may be cached, in milliseconds of `performance.now()`. */
export interface CachedBadge {
  readonly content: BadgeContent;
  readonly endsAt: number;
}

/** How long a badge may be cached, here and elsewhere together, in seconds. */
const cachedS = 300;

/** The largest number of badges that are cached here. */
const maxCached = 10_000;

/** The dependencies of `createBadgeReader`. */
export interface BadgeSources {
  readonly database: Database;
  readonly rules: Omit<RollUpRules, "scorecards"> & { readonly scorecards: readonly Scorecard[] };
}

/**
 * Makes a function that reads what a badge says, from its one application and at most once in five minutes; undefined if
 * there is no badge with this id, or it is revoked.
 */
export function createBadgeReader({ database, rules }: BadgeSources): (id: string) => Promise<CachedBadge | undefined> {
  return shareAnswers<string, CachedBadge | undefined>(
    async ({ questions: [id] }) => {
      const endsAt = performance.now() + cachedS * 1_000;
      const badge = await withStore(() => readBadge(database.lists, id));
      return badge && { content: await contentOf(badge, database, rules), endsAt };
    },
    { keyOf: (id) => id, keptMs: cachedS * 1_000, maxKeys: maxCached },
  );
}

const unknown = { message: "unknown", color: "lightgrey" } as const;

async function contentOf(
  { area, team, app, env, shows, scorecard, metric }: StoredBadge,
  database: Database,
  rules: BadgeSources["rules"],
): Promise<BadgeContent> {
  const which = `(area, team, app) = (${[area, team, app].map(quoted).join(", ")})`;
  const { apps, unscored } = await readSnapshot(database, database.reads, (lines) =>
    readOrganisation(lines, rules, which),
  );
  const found = [...apps, ...unscored].find((one) => one.env === env);
  if (shows === "level") {
    const { name = null, rank = 0 } = found?.level ?? {};
    if (!found?.level) return { label: "maturity", ...unknown };
    return { label: "maturity", message: name ?? "no level", color: levelColor(rank, rules.levels.length) };
  }
  if (shows === "score") return { label: "maturity", ...scoreOf(found?.score ?? undefined) };
  const index = metricIds(rules.scorecards).indexOf(`${scorecard}.${metric}`);
  const declared = rules.scorecards.find(({ name }) => name === scorecard)?.metrics.find(({ name }) => name === metric);
  return { label: declared?.title ?? String(metric), ...scoreOf(found?.metricScores.at(index)?.score) };
}

/** A score is cut, not rounded, so that no badge shows 100 where a finding is left. */
function scoreOf(score: number | undefined): Omit<BadgeContent, "label"> {
  if (score === undefined) return unknown;
  const [, color = "red"] = scoreColors.find(([from]) => score >= from) ?? [];
  return { message: `${Math.floor(score * 10 + 1e-9) / 10} / 100`, color };
}

/** The lowest score of each colour, the highest first. */
const scoreColors = [
  [85, "brightgreen"],
  [70, "green"],
  [50, "yellow"],
  [30, "orange"],
] as const;

/** The highest level is bright green, none is red, and what lies between is shared by the colours between. */
function levelColor(rank: number, count: number): string {
  if (rank === 0) return "red";
  const between = ["orange", "yellow", "yellowgreen", "green"];
  return rank === count ? "brightgreen" : (between[Math.floor(((rank - 1) / Math.max(count - 1, 1)) * 4)] ?? "green");
}
