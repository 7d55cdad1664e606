import { CoveredLines, type FileLines } from "../covered-lines.ts";
import { unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { isObject, listAt, objectAt, objectsOf } from "../shape.ts";

/**
 * SimpleCov's `.resultset.json`, with the runs of all its commands together. A line is left out if one run has not
 * reached it and another calls it irrelevant. SimpleCov does the same, because a file that is tracked but never loaded
 * has a 0 on every line, even on comments. What `:nocov:` hides counts, because the file does not have it.
 */
export const simplecov: Format = {
  name: "simplecov",
  title: "SimpleCov resultset",
  words: ["RSpec", "coverage", "timestamp", "lines", "branches"],
  time: { fields: ["*.timestamp"] },
  metrics: ["unit_coverage", "integration_coverage"],

  // The least after a run is one line of one file.
  looksLike: ({ head }) => head.some((record) => isObject(record) && Object.values(record).some(isRun)),

  read(document): Facts {
    const lines = new CoveredLines();
    for (const { record, path } of objectsOf(document)) {
      for (const run of Object.values(record)) {
        const { coverage } = objectAt(run, `${path}the entry of each command`);
        for (const [file, hits] of Object.entries(objectAt(coverage, `${path}coverage of each command`))) {
          addHits(listAt(isObject(hits) ? hits.lines : hits, `${path}the lines of each file`), lines.of(file));
        }
      }
    }
    return { coverage: { unit: "lines", ...lines.count(), places: lines } };
  },
};

function isRun(run: unknown): boolean {
  if (!isObject(run) || !isObject(run.coverage)) return false;
  const [file] = Object.values(run.coverage);
  return file === undefined
    ? typeof run.timestamp === "number"
    : Array.isArray(file) || (isObject(file) && Array.isArray(file.lines));
}

function addHits(hits: readonly unknown[], lines: FileLines): void {
  for (const [index, count] of hits.entries()) {
    if (count === null) lines.leaveOut(index + 1);
    else if (typeof count === "number" && count >= 0) lines.add(index + 1, count > 0);
    else throw unreadable("the hits of a line must be a number from 0 on, or null");
  }
}
