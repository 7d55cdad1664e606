/** A line of the chart: seconds by number of series. */
export interface Line {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly { readonly series: number; readonly seconds: number }[];
}

const [width, height, left, right, top, bottom] = [720, 420, 70, 150, 40, 50];

/** Scrape time over the number of series, both axes logarithmic, as SVG. */
export function chart(title: string, lines: readonly Line[]): string {
  const all = lines.flatMap(({ points }) => points);
  const [x0, x1] = bounds(all.map(({ series }) => series));
  const [y0, y1] = bounds(all.map(({ seconds }) => seconds));
  const x = (series: number) => left + (Math.log10(series / x0) / Math.log10(x1 / x0)) * (width - left - right);
  const y = (seconds: number) =>
    height - bottom - (Math.log10(seconds / y0) / Math.log10(y1 / y0)) * (height - top - bottom);
  const columns = powers(x0, x1).map(
    (series) =>
      `<line x1="${x(series)}" y1="${top}" x2="${x(series)}" y2="${height - bottom}" stroke="#ddd"/>` +
      text(x(series), height - bottom + 20, series.toLocaleString("en-US"), "middle"),
  );
  const rows = powers(y0, y1).map(
    (seconds) =>
      `<line x1="${left}" y1="${y(seconds)}" x2="${width - right}" y2="${y(seconds)}" stroke="#ddd"/>` +
      text(left - 8, y(seconds) + 4, `${Number(seconds.toPrecision(1))} s`, "end"),
  );
  const drawn = lines.map(({ name, colour, points }) => {
    const path = points.map(({ series, seconds }) => `${x(series).toFixed(1)},${y(seconds).toFixed(1)}`);
    const dots = path.map(
      (point) => `<circle cx="${point.split(",")[0]}" cy="${point.split(",")[1]}" r="4" fill="${colour}"/>`,
    );
    const last = points.at(-1);
    const label = last ? text(x(last.series) + 10, y(last.seconds) + 4, name, "start", colour) : "";
    return `<polyline points="${path.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join("")}${label}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(left, 24, title, "start"),
    ...columns,
    ...rows,
    text((left + width - right) / 2, height - 10, "series", "middle"),
    ...drawn,
    "</svg>\n",
  ].join("\n");
}

/** The powers of ten around the values. */
function bounds(values: readonly number[]): [number, number] {
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)) - 1e-9);
  return [low, high > low ? high : low * 10];
}

function powers(low: number, high: number): number[] {
  const count = Math.round(Math.log10(high / low));
  return Array.from({ length: count + 1 }, (_, index) => low * 10 ** index);
}

function text(x: number, y: number, content: string, anchor: string, colour = "#333"): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}">${content}</text>`;
}
