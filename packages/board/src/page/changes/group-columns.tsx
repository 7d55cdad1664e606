import { count } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Change } from "../parts/score.tsx";
import { hrefOf, place } from "../place.ts";
import { type Cause, type ChangeTotal, causeTexts } from "./causes.ts";

/** The columns of the changes by team or by area. Only causes that did something have one. */
export function groupColumns(
  env: string,
  by: "team" | "area",
  causes: readonly Cause[],
): readonly Column<ChangeTotal>[] {
  const counts = (field: "fell" | "rose" | "apps", head: string): Column<ChangeTotal> => ({
    ...{ id: field, head, kind: "number", isDown: true, isMinor: field === "apps", value: (group) => group[field] },
    show: (group) => <span class={field === "fell" && group.fell > 0 ? "down" : undefined}>{count(group[field])}</span>,
  });
  return [
    {
      id: "name",
      head: by === "team" ? "Team" : "Area",
      kind: "name",
      value: ({ area, team }) => team ?? area ?? undefined,
      // Its applications.
      href: ({ area, team }) =>
        hrefOf({ view: "changes", env, area: area ?? undefined, team: team ?? undefined, since: place.value.since }),
    },
    ...(by === "team"
      ? [
          {
            id: "area",
            head: "Area",
            kind: "text",
            isMinor: true,
            value: ({ area }) => area ?? undefined,
          } satisfies Column<ChangeTotal>,
        ]
      : []),
    {
      id: "change",
      head: "Change",
      title: "The mean of its parts that had a score then",
      kind: "change",
      value: ({ change }) => change ?? undefined,
      show: ({ change }) => <Change by={change} />,
    },
    counts("fell", "Fell"),
    counts("rose", "Rose"),
    counts("apps", "Apps"),
    ...causes.map(
      (cause): Column<ChangeTotal> => ({
        ...{
          id: cause,
          head: causeTexts[cause],
          kind: "change",
          isMinor: true,
          value: ({ causes }) => causes?.[cause],
        },
        show: ({ causes }) => <Change by={causes?.[cause]} />,
      }),
    ),
  ];
}
