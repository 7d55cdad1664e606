import type { Lists } from "@maturity/client";
import { span } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { breakable } from "../parts/grid.tsx";
import { type Severity, SeverityTag } from "../parts/score.tsx";
import { hrefOf, place } from "../place.ts";
import { namesOf } from "../screens/columns.tsx";

type Problem = Lists["/problems"];

/** The gravest first. */
export const severities: readonly Severity[] = ["critical", "high", "medium", "low", "info"];

/** A span, also if it is less than a minute. */
export function shortSpan(milliseconds: number): string {
  return milliseconds < 60_000 ? "< 1 min" : span(milliseconds);
}

/**
 * Which application has which problem, and how grave it is.
 *
 * @param isNarrow whether there is no room for a column of how grave it is
 */
export function problemColumns(env: string, isNarrow: boolean): readonly Column<Problem>[] {
  const [name, ...above] = namesOf<Problem>(env, isNarrow);
  return [
    name,
    {
      id: "severity",
      head: "Severity",
      kind: "heat",
      width: 144,
      // The gravest first: the letters would mix them.
      rank: ({ severity }) => severities.indexOf(severity),
      isMinor: true,
      value: ({ severity }) => severity,
      show: Grave,
    },
    {
      id: "type",
      head: "Problem",
      kind: "text",
      value: ({ problem_type }) => problem_type,
      ...(isNarrow && {
        show: (problem) => (
          <>
            <bdi>{breakable(problem.problem_type)}</bdi>
            <small>
              <SeverityTag severity={problem.severity} />
            </small>
          </>
        ),
      }),
      href: ({ problem_type }) => hrefOf({ ...place.peek(), type: problem_type }),
    },
    ...above,
  ];
}

function Grave({ severity, alert }: Pick<Problem, "severity" | "alert">) {
  return (
    <>
      <SeverityTag severity={severity} />
      {alert === "waived" && <span class="tag">waived</span>}
    </>
  );
}
