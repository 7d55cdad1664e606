import type { Facts, Format } from "./format.ts";
import type { ReportMetric } from "./kinds.ts";
import { printable } from "./mask.ts";

/**
 * The metric that a report feeds: named by the caller, or the only metric that the report can be about.
 *
 * A report that is not named feeds a metric only if it says itself that it was looked for exactly what this metric
 * counts: its format is of a tool that looks for nothing else, it names a tool or a kind of scan that is known to, or,
 * for `image_scan`, it says that an image was scanned. All other reports have to be named. With a wrong default, a
 * report that says little about a metric would replace one that was made for it.
 */
export function metricOf(facts: Facts, format: Format, named: ReportMetric | undefined): ReportMetric | undefined {
  return named ?? facts.metric ?? format.metric;
}

/** What a report says that was scanned: an image, something else in its own words, or nothing. */
export type Subject = "image" | (string & {}) | undefined;

/**
 * What follows for `image_scan` from what was scanned. Only a report of images alone feeds it by itself; any other one
 * gets a note.
 *
 * @param subjects of all scans in the report
 */
export function aboutImages(subjects: Iterable<Subject>): Pick<Facts, "metric" | "imageNotes"> {
  const all = new Set(subjects);
  const others = [...all].filter((subject) => subject !== "image");
  if (all.size > 0 && others.length === 0) return { metric: "image_scan" };
  return {
    imageNotes: others.map((other) =>
      other === undefined ? "it does not say what was scanned" : `scanned was ${article(other)} ${other}, not an image`,
    ),
  };
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? "an" : "a";
}

/** What the tools of a metric look for. */
const sought: { readonly [metric in ReportMetric]?: string } = {
  sast: "vulnerabilities in source code",
  dast: "vulnerabilities in a running system",
  image_scan: "vulnerabilities in images",
};

/** Most characters of a tool's name in a note. */
const maxName = 60;

/** The note on tools that are not known to look for what the metric counts. The caller has named it then. */
export function noteOnStrangers(metric: ReportMetric, { strangers = [] }: Facts): string[] {
  const what = sought[metric];
  const names = strangers.flatMap(({ tool, knownFor }) => (knownFor.includes(metric) ? [] : printable(tool, maxName)));
  if (what === undefined || names.length === 0) return [];
  return [...new Set(names)].map(
    (name) => `${name} is not known to look for ${what}: counted because ${metric} was named`,
  );
}
