import { createReadStream } from "node:fs";
import { isInForce, type Severity, type Target, type Waiver } from "@maturity/core";
import { type AppName, appKey } from "../model/app-name.ts";
import { OperatorError } from "../model/errors.ts";
import type { NameFilter } from "../model/target-filter.ts";
import { createReplay, type Replay, type ReplayRules } from "../replay/replay.ts";
import type { ScoreChoice } from "../replay/score-choice.ts";
import { matching } from "../rollups/by-filter.ts";
import type { Judged } from "../rollups/exemptions.ts";
import { noProblems } from "../rollups/organisation.ts";
import { targetId } from "../rollups/reported-apps.ts";
import { type ScoreWaiver, waiversByScope } from "../rollups/waivers.ts";
import type { ScoreKey } from "../store/new-score.ts";
import { countedLines, countIn, ImportError, linesOf } from "../transfer/lines.ts";
import { readRow } from "../transfer/read-row.ts";

interface ScoreLine extends ScoreKey {
  readonly score: number;
  readonly scorer: string;
  readonly raw: object;
  readonly reported_at: string;
}

interface ProblemLine extends Target {
  readonly severity: Severity;
  readonly count: number;
  readonly reported_at: string;
}

/**
 * Scores the results of an export again. The latest submission in the file is the moment of the comparison, so the same
 * file always gives the same answer.
 *
 * @throws OperatorError at the first line that an import would refuse, if a scorer fails, and if the file has no scores
 */
export async function replayFile(
  file: string,
  rules: ReplayRules,
  { filter, choice }: { readonly filter: NameFilter; readonly choice: ScoreChoice },
): Promise<Omit<Replay, "compared_by" | "in_force_since" | "scorers" | "settings">> {
  const replay = createReplay(rules, choice);
  const problems = new Map<string, Record<Severity, number>>();
  const waivers: (Waiver & ScoreWaiver)[] = [];
  let [number, scores, latest] = [0, 0, 0];
  const noteTime = (time: string) => {
    latest = Math.max(latest, Date.parse(time));
  };

  // An export lists retired and held applications, and retired environments, before their scores and problems.
  const registry = new Map<string, Judged>();
  const hidden = new Set<string>();
  const isHidden = (row: Target) => hidden.has(appKey(row)) || hidden.has(targetId(row));

  const take: Readonly<Record<string, (row: never) => void>> = {
    apps(row: AppLine) {
      if (row.retired_at ?? row.held_since) hidden.add(appKey(row));
      else registry.set(appKey(row), { tier: row.tier ?? null, labels: row.labels ?? {} });
    },
    retired_envs: (row: Target) => void hidden.add(targetId(row)),
    scores(row: ScoreLine) {
      if (isHidden(row)) return;
      scores++;
      noteTime(row.reported_at);
      if (matching([row], filter).length === 0) return;
      replay.take({ ...row, reportedAt: Date.parse(row.reported_at), raw: JSON.stringify(row.raw) });
    },
    problems(row: ProblemLine) {
      if (isHidden(row)) return;
      const { severity, count, reported_at } = row;
      noteTime(reported_at);
      if (count === 0) return;
      const id = targetId(row);
      const open = problems.get(id) ?? { ...noProblems };
      open[severity]++;
      problems.set(id, open);
    },
    waivers: (row: ScoreWaiver & { readonly decision?: string; readonly decided_at?: string }) =>
      void waivers.push({ ...row, created_at: row.decision === "approved" ? (row.decided_at ?? null) : null }),
  };

  const refuse = (fault: string) =>
    new OperatorError(`${file}: ${fault}; it must be what maturity-service export wrote`);
  try {
    for await (const line of countedLines(linesOf(createReadStream(file)))) {
      number++;
      if (countIn(line) !== undefined) continue;
      const { table, row } = readRow(line, number, Number.POSITIVE_INFINITY);
      take[table]?.(row as never);
    }
  } catch (error) {
    throw error instanceof ImportError ? refuse(error.place) : error;
  }
  if (scores === 0) throw refuse("has no scores");
  const asOf = new Date(latest);
  const waiversOf = waiversByScope(waivers.filter((waiver) => isInForce(waiver, asOf)));
  return replay.end({ asOf, problems, waiversOf, registrationOf: (target) => registry.get(appKey(target)) });
}

interface AppLine extends AppName, Partial<Judged> {
  readonly held_since?: string;
  readonly retired_at?: string;
}
