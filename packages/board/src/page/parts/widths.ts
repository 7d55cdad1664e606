import type { Column } from "./column.ts";

type Widths = { readonly [Kind in Column<never>["kind"]]?: number };

/** Widths in pixels, if the head needs no more; names and texts share the rest. */
export const widths: Widths = {
  ...{ word: 72, heat: 72, cell: 42, number: 74, change: 88, shares: 122, levels: 80, time: 112 },
};

/** The same of what stands first on a narrow screen, whatever the head needs. */
const narrowWidths: Widths = { word: 64, heat: 72, number: 64, change: 80, shares: 78, time: 92 };

/** The least that names and texts can be read in, and on a narrow screen, where lines are shorter. */
const leastWidths: Widths = { name: 144, text: 128, long: 240 };
const leastNarrow = 85;

/** Of a letter in a head, in pixels, and of what stands beside the letters: the arrow and the edges. */
const letter = 6.8;
const edges = 30;
const narrowEdges = 20;

/** Of the page beside a list, in pixels. */
const margins = 56;
const narrowMargins = 34;

/** A column with its width in pixels; without one it shares what the others leave. */
interface Laid<Row> {
  readonly column: Column<Row>;
  readonly width: number | undefined;
  readonly least: number;
}

/**
 * Lays the columns of a list out. On a narrow screen those that matter most share its width, and the minor ones stand beyond it.
 *
 * @returns `beyond`, what those need, and `least`, what all need, in pixels; and whether that is more than the page has
 */
export function laidOut<Row>(columns: readonly Column<Row>[], isNarrow: boolean) {
  const isFurther = ({ isMinor = false }: Column<Row>) => isNarrow && isMinor;
  const further = columns.filter(isFurther).map((column): Laid<Row> => {
    const least = leastOf(column);
    return { column, width: least, least };
  });
  const near = columns
    .filter((column) => !isFurther(column))
    .map((column): Laid<Row> => {
      const width = (isNarrow && narrowWidths[column.kind]) || widthOf(column);
      return { column, width, least: width ?? (isNarrow ? leastNarrow : leastOf(column)) };
    });
  const sum = (of: readonly Laid<Row>[]) => of.reduce((all, { least }) => all + least, 0);
  const beyond = sum(further);
  const least = sum(near) + beyond;
  const room = Math.min(innerWidth, 1_536) - (isNarrow ? narrowMargins : margins);
  return { shown: [...near, ...further], beyond, least, isBroad: least > room };
}

function leastOf(column: Column<never>): number {
  return widthOf(column) ?? leastWidths[column.kind] ?? 0;
}

/** Undefined for a column that shares the rest. */
function widthOf({ kind, head, width }: Column<never>): number | undefined {
  const usual = width ?? widths[kind];
  if (usual === undefined || kind === "cell") return usual;
  const beside = kind === "heat" ? narrowEdges : edges;
  return Math.max(usual, Math.min(Math.ceil(head.length * letter + beside), 120));
}
