import { readOrganisation } from "../../rollups/organisation.ts";
import { primaryOf } from "../../store/database.ts";
import {
  forgetLevels,
  isComparisonDue,
  type KnownLevels,
  noteComparison,
  readKnownLevels,
  rememberLevels,
  takeComparison,
} from "../../store/known-levels.ts";
import { readSnapshot } from "../../store/lines.ts";
import { noteTargets } from "../../store/reported-changes.ts";
import type { WatchDependencies } from "./announce-changes.ts";

/**
 * Once an hour finds the applications whose level changed without a submission, as by evidence that got stale or a waiver that
 * ended, and notes them, so that `announceChanges` looks at them. After a change of the rules it only remembers the levels.
 *
 * @returns how many applications are noted; undefined if it is not due, or another instance does it
 */
export async function compareLevels({
  database,
  rules,
  policy,
  signal,
}: Omit<WatchDependencies, "facts">): Promise<number | undefined> {
  const { background } = database;
  if (!(await isComparisonDue(background, policy))) return undefined;
  const primary = primaryOf(database);
  const { apps, known } = await readSnapshot(primary, primary.reads, async (lines) => {
    const { apps } = await readOrganisation(lines, rules);
    return { apps, known: await readKnownLevels(lines) };
  });
  return background.transaction(async (trx) => {
    const due = await takeComparison(trx, policy);
    if (!due) return undefined;
    if (due.isNew) await forgetLevels(trx);
    signal.throwIfAborted();
    const now = new Map(apps.map(({ target, level }) => [target, level?.rank ?? 0]));
    const before: KnownLevels = due.isNew ? new Map() : known;
    await rememberLevels(trx, new Map([...now].filter(([target]) => !before.has(target))));
    const changed = [...before].flatMap(([target, rank]) => (rank !== (now.get(target) ?? rank) ? [target] : []));
    await noteTargets(trx, changed);
    await noteComparison(trx, policy);
    return changed.length;
  });
}
