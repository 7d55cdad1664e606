import { StatedTotal, statedCoverage } from "../coverage.ts";
import { CoveredLines, type FileLines } from "../covered-lines.ts";
import { unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { countIn, numberIn } from "../text-numbers.ts";
import { visitXml } from "../xml.ts";

/**
 * Clover XML, as OpenClover, PHPUnit and Istanbul write it. Its unit is the statement. The coverage is
 * `coveredstatements` of `statements` in the metrics of the whole project.
 */
export const clover: Format = {
  name: "clover",
  title: "Clover XML",
  words: ["clover", "coveredstatements", "coveredmethods", "coveredelements", "conditionals"],
  time: { fields: ["@generated"] },
  metrics: ["unit_coverage", "integration_coverage"],

  // The least after a run is one statement in the metrics of the project.
  looksLike({ root }) {
    return root?.name === "coverage" && ["generated", "clover"].some((name) => name in root.attributes);
  },

  read(document): Facts {
    const lines = new CoveredLines();
    let ofFile: FileLines | undefined;
    const stated = new StatedTotal();
    visitXml(document.text, {
      "coverage/project/metrics": {
        open({ coveredstatements, statements }) {
          stated.set({
            covered: countIn(coveredstatements, "coveredstatements of <metrics>"),
            total: countIn(statements, "statements of <metrics>"),
          });
        },
      },
      "coverage/project/**/file": {
        open({ path, name }) {
          ofFile = lines.of(path ?? name ?? "");
        },
      },
      "coverage/project/**/file/line": {
        open({ type, num, count }) {
          if (type !== "stmt") return;
          ofFile?.add(countIn(num, "num of <line>"), numberIn(count, "count of <line>") > 0);
        },
      },
    });
    if (!stated.value) throw unreadable("has no <metrics> directly in <project>");
    return {
      coverage: statedCoverage({ unit: "statements", ...stated.value }, lines),
      notes: ["statements are counted: Clover has no total of lines"],
    };
  },
};
