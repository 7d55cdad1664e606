import { StatedTotal, statedCoverage } from "../coverage.ts";
import { CoveredLines, type FileLines } from "../covered-lines.ts";
import { ReportError, unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { countIn, numberIn } from "../text-numbers.ts";
import { visitXml } from "../xml.ts";

/**
 * JaCoCo XML, which Pester and gcovr write too. The coverage is the `LINE` counter of the whole report; those of
 * packages and classes are ignored. A line is covered if any of its instructions ran. The lines of gcovr do not say
 * whether they are covered (https://gcovr.com/en/stable/output/jacoco.html).
 */
export const jacoco: Format = {
  name: "jacoco",
  title: "JaCoCo XML",
  words: ["JACOCO", "counter", "sessioninfo", "missed", "covered", "sourcefile"],
  time: { fields: ["sessioninfo/@dump"] },
  metrics: ["unit_coverage", "integration_coverage"],

  // The least after a run is the LINE counter of the report. Other tools have the root <report> too.
  looksLike({ root, text }) {
    return (
      root?.name === "report" &&
      /\/\/JACOCO\/\/DTD|<(?:sessioninfo|group|package|counter)\b/.test(text.slice(0, 10_000))
    );
  },

  read(document): Facts {
    const lines = new CoveredLines();
    let packageName = "";
    let ofFile: FileLines | undefined;
    let isCounted = false;
    const stated = new StatedTotal();
    let saysWhich = true;
    const times: (string | undefined)[] = [];
    visitXml(document.text, {
      "report/sessioninfo": {
        open({ dump }) {
          times.push(dump);
        },
      },
      "report/counter": {
        open({ type, covered: hit, missed }) {
          isCounted = true;
          if (type !== "LINE") return;
          const covered = countIn(hit, "covered of <counter>");
          stated.set({ covered, total: covered + countIn(missed, "missed of <counter>") });
        },
      },
      "report/**/counter": {
        open() {
          isCounted = true;
        },
      },
      "report/**/package": {
        open({ name = "" }) {
          packageName = name;
        },
      },
      "report/**/sourcefile": {
        open({ name }) {
          ofFile = lines.of(`${packageName}/${name}`);
        },
      },
      "report/**/sourcefile/line": {
        open({ nr, ci, mi }) {
          if (ci === undefined && mi === undefined) saysWhich = false;
          else ofFile?.add(countIn(nr, "nr of <line>"), numberIn(ci, "ci of <line>") > 0);
        },
      },
    });
    if (!isCounted) throw new ReportError("nothing-measured", noClass);
    if (!stated.value) {
      throw unreadable("has no LINE counter for the whole report: compile with line numbers (javac -g:lines)");
    }
    const coverage = statedCoverage({ unit: "lines", ...stated.value }, saysWhich ? lines : new CoveredLines());
    return { coverage, times };
  },
};

const noClass =
  "measured nothing: it has no counter, so JaCoCo was given no classes; give the report the classes, and the data of the tests (jacoco.exec)";
