const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds of a time as Prometheus writes it, `5m` or `1h30m`; undefined when it is none, or takes no time. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:ms|[smhdw]))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)(ms|[smhdw])/g)];
  const milliseconds = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs],
    0,
  );
  return milliseconds > 0 ? milliseconds : undefined;
}
