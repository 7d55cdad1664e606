import type { Figures } from "./figures.ts";

const appsPer30_000 = 1_000;

/**
 * What a number of applications needs, with 15 metrics in two environments. An instance gets what `memory` has seen it hold
 * under everything at once, and what the roll-ups of more scores add. All else is the figure of `roll-ups` or `history-reads` with
 * a half more, rounded up.
 */
export function sizing(figures: Readonly<Record<string, Figures>>): Figures {
  const costs = rowsOf(figures, "roll-ups", 0);
  const scores = [...new Set(costs.map((row) => numberIn(row[0])))];
  const mebibytes = rowsOf(figures, "history-reads", 0).map((row) => numberIn(row.at(-1)));
  const busy = Math.max(...rowsOf(figures, "memory", 0).map((row) => numberIn(row[1])));
  const quiet = numberIn(costs.find((row) => row[1] === "the service")?.[7]);
  const disk = mebibytes.reduce((sum, size) => sum + size, 0) / 300_000;
  const rows = scores.map((count) => {
    const [byRules, byService] = ["Prometheus, by the rules", "the service"].map((by) =>
      costs.find((row) => numberIn(row[0]) === count && row[1] === by),
    );
    return [
      Math.round((count / 30_000) * appsPer30_000).toLocaleString("en-US"),
      count.toLocaleString("en-US"),
      `1 core, ${size(busy + numberIn(byService?.[7]) - quiet)}`,
      `2 cores, 1 GB, ${Math.ceil((disk * count * 1.5) / 1_000)} GB of disk`,
      memory(numberIn(byRules?.[6])),
      memory(numberIn(byService?.[6])),
    ];
  });
  const columns = [
    "applications",
    "scores",
    "each instance",
    "PostgreSQL, with a year of history",
    "Prometheus, by the rules",
    "Prometheus, with the roll-ups of the service",
  ];
  return {
    command: "pnpm bench roll-ups --write; pnpm bench memory --write; pnpm bench history-reads --write",
    tables: [{ columns, rows }],
  };
}

function rowsOf(
  figures: Readonly<Record<string, Figures>>,
  name: string,
  table: number,
): readonly (readonly string[])[] {
  const rows = figures[name]?.tables[table]?.rows;
  if (!rows) throw new Error(`there are no figures ${name}`);
  return rows;
}

/** Sizes of tables are read in MB. */
function numberIn(cell = ""): number {
  const [, digits = "", unit = ""] = /([\d,.]+) ?(kB|GB)?/.exec(cell) ?? [];
  const scale = { kB: 1 / 1_000, GB: 1_000 }[unit] ?? 1;
  return Number(digits.replaceAll(",", "")) * scale;
}

/** A half more. */
function memory(megabytes: number): string {
  return size(megabytes * 1.5);
}

/** In steps of 128 MB. */
function size(megabytes: number): string {
  const rounded = Math.ceil(megabytes / 128) * 128;
  return rounded < 1_024 ? `${rounded} MB` : `${(rounded / 1_024).toFixed(1)} GB`;
}
