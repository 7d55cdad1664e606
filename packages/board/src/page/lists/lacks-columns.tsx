import type { Lists } from "@maturity/client";
import { plural, tenths } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { None } from "../parts/score.tsx";
import { hrefOf } from "../place.ts";

type App = Lists["/apps"];

/** Few conditions first, and of as many those that lack least. */
function rankOf({ lacks }: App): number | undefined {
  return lacks ? lacks.conditions.length * 1e6 + lacks.missing : undefined;
}

/**
 * How many conditions of the next level do not hold, and how much they lack.
 *
 * @param env leads to what they are, in words
 */
export function lacksColumn(env?: string): Column<App> {
  return {
    id: "lacks",
    head: "Lacks",
    title:
      "How many conditions of the next level do not hold, and how much they lack: points, hundredths of a share, problems",
    kind: "number",
    width: 84,
    isMinor: true,
    rank: rankOf,
    ...(env !== undefined && {
      href: ({ area, team, app, lacks }) =>
        hrefOf({ view: "levels", env, area, team, ...(lacks && { reach: lacks.level, q: app }) }),
    }),
    value: ({ lacks }) => lacks?.missing,
    show: ({ lacks }) =>
      lacks ? (
        <span title={textOf(lacks)}>
          {tenths(lacks.missing)} <span class="soft">in {lacks.conditions.length}</span>
          <span class="sr">: {textOf(lacks)}</span>
        </span>
      ) : (
        <None />
      ),
  };
}

/** The conditions in words. */
export function conditionsColumn(): Column<App> {
  return {
    id: "conditions",
    head: "What is missing",
    kind: "long",
    value: ({ lacks }) =>
      lacks ? lacks.conditions.map(({ text }) => text.replace(/^needs /, "")).join("; ") : "it has no score",
  };
}

function textOf({ level, conditions }: NonNullable<App["lacks"]>): string {
  return `${plural(conditions.length, "condition")} of ${level}: ${conditions.map(({ text }) => text).join("; ")}`;
}
