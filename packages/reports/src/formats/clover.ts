import { statedCoverage } from "../coverage.ts";
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
  metrics: ["unit_coverage", "integration_coverage"],

  looksLike({ root }) {
    return root?.name === "coverage" && ["generated", "clover"].some((name) => name in root.attributes);
  },

  read(document): Facts {
    const lines = new CoveredLines();
    let ofFile: FileLines | undefined;
    let total: { covered: number; total: number } | undefined;
    visitXml(document.text, {
      open(path, attributes) {
        if (!path.startsWith("coverage/project/")) return;
        if (path.endsWith("/file/line")) {
          if (attributes.type !== "stmt") return;
          ofFile?.add(countIn(attributes.num, "num of <line>"), numberIn(attributes.count, "count of <line>") > 0);
        } else if (path.endsWith("/file")) ofFile = lines.of(attributes.path ?? attributes.name ?? "");
        else if (path === "coverage/project/metrics") {
          total = {
            covered: countIn(attributes.coveredstatements, "coveredstatements of <metrics>"),
            total: countIn(attributes.statements, "statements of <metrics>"),
          };
        }
      },
    });
    if (!total) throw unreadable("has no <metrics> directly in <project>");
    return {
      coverage: statedCoverage({ unit: "statements", ...total }, lines),
      notes: ["statements are counted: Clover has no total of lines"],
    };
  },
};
