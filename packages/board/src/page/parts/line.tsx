import { points } from "../format.ts";

const padding = 2;

/** The path of a line over days; a day without a score breaks it. */
export function pathOf(days: readonly (number | null)[], width: number, height: number): string {
  const known = days.filter((day) => day !== null);
  // A tenth of the whole range at least: a change of one point is no cliff.
  const middle = (Math.max(...known) + Math.min(...known)) / 2;
  const range = Math.max(Math.max(...known) - Math.min(...known), 10);
  const x = (index: number) => (days.length === 1 ? width / 2 : (index / (days.length - 1)) * width);
  const y = (score: number) => height / 2 - ((score - middle) / range) * (height - 2 * padding);
  return days
    .map((score, index) => {
      if (score === null) return "";
      const starts = index === 0 || days[index - 1] === null;
      const next = days[index + 1];
      const isAlone = starts && (next === undefined || next === null);
      return `${starts ? "M" : "L"}${x(index).toFixed(1)} ${y(score).toFixed(1)}${isAlone ? "h.1" : ""}`;
    })
    .join("");
}

/** The score of each of the last days. */
export function Line({
  days,
  width = 72,
  height = 22,
}: {
  readonly days: readonly (number | null)[] | undefined;
  readonly width?: number;
  readonly height?: number;
}) {
  const known = days?.filter((day) => day !== null) ?? [];
  const first = known[0];
  const last = known.at(-1);
  if (!days || first === undefined || last === undefined) return <span class="sr">no history</span>;
  const text = `${points(first)} to ${points(last)} in ${days.length} days, between ${points(Math.min(...known))} and ${points(Math.max(...known))}`;
  return (
    <svg class="line" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={text}>
      <title>{text}</title>
      <path d={pathOf(days, width, height)} />
    </svg>
  );
}
