import type { ScoreResponse } from "@maturity/client";
import type { Target } from "@maturity/core";
import { renamedText } from "./asking/words.ts";

/** Where results are stored. */
interface Stored {
  readonly place: Partial<Target>;
  /** What to change in the pipeline; nothing unless the application has moved. */
  readonly notes: readonly string[];
}

const heldNote =
  "nobody registered this application, so it is held: its results count once maturity app register has its name; check the name first";

/** The name under which results are stored, which is another one than they were sent under if the application has moved. */
export function whereStored(
  target: Partial<Target>,
  answers: readonly Pick<ScoreResponse, "moved_to" | "held">[],
): Stored {
  const held = answers.some((answer) => answer.held) ? [heldNote] : [];
  const moved = answers.find(({ moved_to }) => moved_to)?.moved_to;
  if (!moved) return { place: target, notes: held };
  const { area = "", team = null, app = null } = target;
  const note = `${renamedText({ area, team, app }, moved)}: change the name in the pipeline`;
  return { place: { ...target, ...moved }, notes: [note, ...held] };
}
