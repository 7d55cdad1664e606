import type { Engine } from "@maturity/core";
import type { RollUps } from "../rollups/roll-ups.ts";
import {
  type Family,
  header,
  metricWaivedSeries,
  problemSeries,
  problemWaivedSeries,
  registeredSeries,
  rulesSeries,
  type Series,
  scoreSeries,
  timestampSeries,
  waiverExpirySeries,
  weights,
} from "./families.ts";
import { levelLines, rollUpLines } from "./roll-up-lines.ts";

/** The formats a scraper can ask for. */
export type Format = "text" | "openmetrics";

export const contentTypes: Readonly<Record<Format, string>> = {
  text: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

/** Reads the sample lines of a stored series, in pieces of any size. Each line ends with a line feed. */
export type Samples = (series: Series) => AsyncIterable<string | Uint8Array>;

/**
 * Writes the exposition piece by piece, so that it is never in memory as a whole.
 *
 * @param rollUps needed for roll-ups and levels
 */
export async function* exposition(
  wanted: ReadonlySet<Family>,
  engine: Engine,
  { samples, rollUps }: { readonly samples: Samples; readonly rollUps?: RollUps | undefined },
  format: Format,
): AsyncGenerator<string | Uint8Array> {
  if (wanted.has("weights")) yield weights(engine);
  for (const [family, series] of stored) {
    if (!wanted.has(family)) continue;
    yield header(series);
    yield* samples(series);
  }
  if (rollUps && wanted.has("rollups")) yield* rollUpLines(rollUps);
  if (rollUps && wanted.has("levels")) yield* levelLines(rollUps);
  if (format === "openmetrics") yield "# EOF\n";
}

const stored = [
  ["scores", scoreSeries],
  ["timestamps", timestampSeries],
  ["problems", problemSeries],
  ["registry", registeredSeries],
  ["waivers", metricWaivedSeries],
  ["waivers", problemWaivedSeries],
  ["waivers", waiverExpirySeries],
  ["rules", rulesSeries],
] as const;
