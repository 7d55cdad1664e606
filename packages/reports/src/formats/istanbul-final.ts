import { CoveredLines, type FileLines } from "../covered-lines.ts";
import { unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { own } from "../own.ts";
import { countAt, type Fields, isObject, numberAt, objectAt, objectsOf } from "../shape.ts";

/**
 * `coverage-final.json`, written by the json reporter of Istanbul (nyc, c8, Jest, Vitest, solidity-coverage). It has no
 * totals, so they are computed as Istanbul does: a statement belongs to the line on which it starts, and a line is
 * covered if any of its statements ran.
 */
export const istanbulFinal: Format = {
  name: "istanbul-final",
  title: "Istanbul coverage-final",
  words: ["statementMap", "fnMap", "branchMap", "inputSourceMap"],
  time: "none",
  metrics: ["unit_coverage", "integration_coverage"],

  // The least after a run is one statement of one file.
  looksLike: ({ head }) => head.some((record) => isObject(record) && Object.values(record).some(isFile)),

  read(document): Facts {
    const lines = new CoveredLines();
    for (const { record, path } of objectsOf(document)) {
      for (const [name, value] of Object.entries(record)) {
        const file = dataOf(objectAt(value, `${path}the entry of each file`));
        addStatements(file, lines.of(name));
      }
    }
    return { coverage: { unit: "lines", ...lines.count(), places: lines } };
  },
};

function isFile(value: unknown): boolean {
  return isObject(value) && isObject(dataOf(value).statementMap);
}

/** The coverage of a file. Some tools put it under the key `data`. */
function dataOf(file: Fields): Fields {
  return "statementMap" in file || !isObject(file.data) ? file : file.data;
}

function addStatements({ statementMap, s }: Fields, lines: FileLines): void {
  const statements = objectAt(statementMap, "statementMap of each file");
  for (const [id, hits] of Object.entries(objectAt(s, "s of each file"))) {
    const statement = own(statements, id);
    if (statement === undefined) continue;
    const start = isObject(statement) && isObject(statement.start) ? statement.start.line : undefined;
    const line = countAt(start, "start.line of each statement");
    const count = numberAt(hits, "each hit in s");
    if (count < 0) throw unreadable("each hit in s must not be below 0");
    lines.add(line, count > 0);
  }
}
