import { preferredType } from "../http/accept.ts";
import type { RollUps } from "../rollups/roll-ups.ts";
import { levelLines, rollUpLines } from "./roll-up-lines.ts";
import { type Family, header, type Series, series } from "./series.ts";

/** The content types of a scrape, by the media type that asks for them. */
export const contentTypes = {
  "text/plain": "text/plain; version=0.0.4; charset=utf-8",
  "application/openmetrics-text": "application/openmetrics-text; version=1.0.0; charset=utf-8",
} as const;

/** The formats of a scrape. */
export type Format = keyof typeof contentTypes;

/**
 * The format that the `Accept` header prefers; text without a preference. Versions are ignored, since each format has
 * one.
 */
export function preferredFormat(accept: string | undefined): Format {
  return preferredType(accept, Object.keys(contentTypes) as Format[]) ?? "text/plain";
}

/** Reads the sample lines of a stored series, in pieces of any size. Each line ends with a line feed. */
export type Samples = (series: Series) => AsyncIterable<string | Uint8Array>;

/**
 * Writes the exposition piece by piece, never holding the whole of it.
 *
 * @param rollUps needed for roll-ups and levels
 */
export async function* exposition(
  wanted: ReadonlySet<Family>,
  { samples, rollUps }: { readonly samples: Samples; readonly rollUps?: RollUps | undefined },
  format: Format,
): AsyncGenerator<string | Uint8Array> {
  for (const one of series.filter(({ family }) => wanted.has(family))) {
    yield header(one);
    yield* samples(one);
  }
  if (rollUps && wanted.has("rollups")) yield* rollUpLines(rollUps);
  if (rollUps && wanted.has("levels")) yield* levelLines(rollUps);
  if (format === "application/openmetrics-text") yield "# EOF\n";
}
