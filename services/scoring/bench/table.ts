/** One line of the report: what was measured on either side, over the rounds. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  /** One figure a round. */
  readonly ours: readonly number[];
  /** One figure a round; empty where there is nothing to compare with. */
  readonly peer: readonly number[];
  readonly peerName: string;
  readonly higherIsBetter: boolean;
}

/** Of an even number of figures the mean of the two in the middle. */
export function medianOf(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return sorted.length % 2 === 0 ? (upper + (sorted[sorted.length / 2 - 1] ?? Number.NaN)) / 2 : upper;
}

/** A Markdown table of medians, spreads and ratios; a ratio above 1 is in favour of the service. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, unit, ours, peer, peerName, higherIsBetter }) => {
    const ratios = ours.flatMap((value, index) => {
      const other = peer[index];
      if (other === undefined || Number.isNaN(other)) return [];
      return [higherIsBetter ? value / other : other / value];
    });
    const ratio = ratios.length > 0 ? `${written(medianOf(ratios))} (${spread(ratios)})` : "–";
    const against = ratios.length > 0 ? `${written(medianOf(peer))} ${unit} (${peerName})` : "–";
    return `| ${what} | ${written(medianOf(ours))} ${unit} (${spread(ours)}) | ${against} | ${ratio} |`;
  });
  return ["| what | the service | beside it | ratio, above 1 is better |", "|---|---|---|---|", ...lines].join("\n");
}

function spread(figures: readonly number[]): string {
  return `${written(Math.min(...figures))}–${written(Math.max(...figures))}`;
}

function written(figure: number): string {
  if (figure >= 1000) return Math.round(figure).toLocaleString("en-US");
  return figure >= 100 ? String(Math.round(figure)) : String(Number(figure.toPrecision(3)));
}
