import { CoveredLines, type FileLines, isAbsolute } from "../covered-lines.ts";
import { unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { refuseOtherShare } from "../stated.ts";
import { countIn, numberIn } from "../text-numbers.ts";
import { visitXml } from "../xml.ts";

/** How far a rate can be from the counts that it was made of: tools round it to two digits at least. */
const rounding = 0.01;
/**
 * How far the share by the totals can be from that by the lines, because tools also count what they do not list. In a
 * report of dotnet-coverage it is 0.02.
 */
const otherCounting = 0.1;

/** Longest name of a folder, in bytes, on any file system that is in use. */
const longestName = 255;

/**
 * Cobertura XML, as Cobertura itself, coverage.py, coverlet, dotnet-coverage, gcovr, Istanbul and others write it. The
 * coverage is `lines-covered` of `lines-valid` of the root element. If these are missing, the lines of the classes are
 * counted, each line of a file once. Reports of several runs are always merged by these lines. The name of a file begins
 * with the last folder of the `<source>`, if the report has one alone: two packages differ there, two checkouts do not.
 */
export const cobertura: Format = {
  name: "cobertura",
  title: "Cobertura XML",
  words: ["line-rate", "branch-rate", "lines-valid", "lines-covered", "hits", "condition-coverage"],
  time: { fields: ["@timestamp"] },
  metrics: ["unit_coverage", "integration_coverage"],

  // The least after a run is one line, in the root or in a class. The rates alone stand in the report of an empty run
  // too.
  looksLike({ root }) {
    return root?.name === "coverage" && ["line-rate", "lines-valid"].some((name) => name in root.attributes);
  },

  read(document): Facts {
    const lines = new CoveredLines();
    const listed = { covered: 0, total: 0 };
    let ofClass: FileLines | undefined;
    let stated: { covered: number; total: number } | undefined;
    let rate: number | undefined;
    const sources = { count: 0, folder: "" };
    visitXml(document.text, {
      coverage: {
        open(attributes) {
          const { "line-rate": written } = attributes;
          // A few tools write percent.
          if (Number(written) <= 1) rate = Number(written);
          if (!("lines-covered" in attributes && "lines-valid" in attributes)) return;
          stated = {
            covered: countIn(attributes["lines-covered"], "lines-covered of <coverage>"),
            total: countIn(attributes["lines-valid"], "lines-valid of <coverage>"),
          };
        },
      },
      "coverage/sources/source": {
        close(text) {
          sources.count++;
          sources.folder = sources.count === 1 ? lastFolder(text) : "";
        },
      },
      "coverage/**/class": {
        open({ filename }) {
          if (filename === undefined) throw unreadable("<class> must have a filename");
          ofClass = lines.of(isAbsolute(filename) ? filename : sources.folder + filename);
        },
      },
      "coverage/**/class/lines/line": {
        open({ number, hits }) {
          const isCovered = numberIn(hits, "hits of <line>") > 0;
          ofClass?.add(countIn(number, "number of <line>"), isCovered);
          listed.total++;
          if (isCovered) listed.covered++;
        },
      },
    });
    const counted = lines.count();
    if (stated) refuseOtherShare(rate, shareOf(stated), rounding, "line-rate of <coverage>");
    const [share, what] = stated
      ? [shareOf(stated), "lines-covered of lines-valid"]
      : [rate, "line-rate of <coverage>"];
    // A line that is listed twice counts once for most tools, and twice for scoverage, which lists each statement.
    const [once, each] = [shareOf(counted), shareOf(listed)];
    if (!isNear(share, each)) refuseOtherShare(share, once, otherCounting, what);
    return { coverage: { unit: "lines", ...(stated ?? counted), ...(counted.total > 0 && { places: lines }) } };
  },
};

/** The last folder of a path, with a slash behind it. A path may be as long as the report. */
function lastFolder(path: string): string {
  const name = path
    .trim()
    .slice(-longestName)
    .split(/[\\/]/)
    .findLast((part) => part !== "");
  return name === undefined ? "" : `${name}/`;
}

function shareOf({ covered, total }: { readonly covered: number; readonly total: number }): number {
  return covered / total;
}

function isNear(share: number | undefined, counted: number): boolean {
  return share !== undefined && Math.abs(share - counted) <= otherCounting;
}
