const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** Milliseconds in words: `3 days`. A minute at least. */
export function duration(ms: number): string {
  const [unit, length] = units.find(([, length]) => ms >= length) ?? ["minute", 60_000];
  const count = Math.max(1, Math.floor(ms / length));
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
