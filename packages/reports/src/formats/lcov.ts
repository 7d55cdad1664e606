import { CoveredLines, type FileLines } from "../covered-lines.ts";
import { unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { countIn, isCount, isNumber } from "../text-numbers.ts";

/**
 * LCOV tracefiles, as `geninfo`, Istanbul, coverlet, Flutter, `cargo llvm-cov` and others write them. The lines (`DA`)
 * of a file are counted, each once, even if several records list it. The totals of a record (`LF`, `LH`) are used only
 * if it lists no lines, because some tools count a line in them as often as it is listed. They count once too. A
 * record without `end_of_record` is refused.
 */
export const lcov: Format = {
  name: "lcov",
  title: "LCOV",
  words: ["SF", "DA", "LF", "LH", "end_of_record", "TN", "BRDA"],
  time: "none",
  metrics: ["unit_coverage", "integration_coverage"],

  // The least after a run is one line of one file. The name of a test stands there before anything has run.
  looksLike({ text }) {
    return /^\s*(?:#[^\n]*\n\s*)*(?:TN|SF):/.test(text.slice(0, looked));
  },

  read(document): Facts {
    const lines = new CoveredLines();
    const totals = new Map<string, StatedTotal>();
    let record: TraceRecord | undefined;
    let number = 0;
    for (const line of document.lines()) {
      number++;
      if (line.startsWith("DA:")) {
        const open = inRecord(record, number);
        addLine(open.lines, line, number);
        open.listed = true;
      } else if (line.startsWith("SF:")) {
        if (record) throw withoutEnd(record);
        const file = line.slice(3);
        record = { begin: number, file, lines: lines.of(file), listed: false, found: 0, hit: 0 };
      } else if (line.startsWith("LF:")) {
        inRecord(record, number).found = countIn(line.slice(3), `LF in line ${number}`);
      } else if (line.startsWith("LH:")) {
        inRecord(record, number).hit = countIn(line.slice(3), `LH in line ${number}`);
      } else if (line.startsWith("end_of_record")) {
        const { file, listed, found, hit } = inRecord(record, number);
        record = undefined;
        if (listed) continue;
        if (hit > found)
          throw unreadable(`the record that ends in line ${number} has more lines hit (LH) than there are (LF)`);
        const known = totals.get(file);
        if (known && (known.hit !== hit || known.found !== found)) {
          throw unreadable(`has two totals of one file: the second record of it ends in line ${number}`);
        }
        totals.set(file, { found, hit });
      } else if (!record && line.trim() !== "" && !line.startsWith("#") && !line.startsWith("TN:")) {
        throw unreadable(`line ${number} belongs to no file: the report may be cut off there`);
      }
    }
    if (record) throw withoutEnd(record);
    const { covered, total } = lines.count();
    const unlisted = { covered: 0, total: 0 };
    for (const { found, hit } of totals.values()) {
      unlisted.covered += hit;
      unlisted.total += found;
    }
    return {
      coverage: {
        unit: "lines",
        covered: covered + unlisted.covered,
        total: total + unlisted.total,
        ...(unlisted.total === 0 && { places: lines }),
      },
    };
  },
};

/** Characters in which the first record is looked for: a pattern has no room to go back over millions of comments. */
const looked = 65_536;

/** The totals of a record that lists no lines. */
interface StatedTotal {
  readonly found: number;
  readonly hit: number;
}

/** A record, which reaches from an `SF` line to the next `end_of_record`. */
interface TraceRecord {
  /** Number of its first line. */
  readonly begin: number;
  readonly file: string;
  readonly lines: FileLines;
  /** Whether it lists any line. */
  listed: boolean;
  found: number;
  hit: number;
}

function inRecord(record: TraceRecord | undefined, number: number): TraceRecord {
  if (!record) throw unreadable(`line ${number} belongs to no file: no SF stands before it`);
  return record;
}

/**
 * Adds the line of a `DA:<line>,<count>`, which may end with a checksum. gcov can give counts below 0; they mean not
 * covered.
 */
function addLine(lines: FileLines, text: string, number: number): void {
  const comma = text.indexOf(",");
  const second = text.indexOf(",", comma + 1);
  const line = text.slice(3, comma);
  const count = text.slice(comma + 1, second === -1 ? undefined : second);
  if (comma === -1 || !isNumber(line) || !isNumber(count) || !isCount(Number(line))) {
    throw unreadable(`line ${number} must be DA:<line>,<count>: the file may be cut off there`);
  }
  lines.add(Number(line), Number(count) > 0);
}

function withoutEnd({ begin }: TraceRecord): Error {
  return unreadable(`is cut off: the record that begins in line ${begin} has no end_of_record`);
}
