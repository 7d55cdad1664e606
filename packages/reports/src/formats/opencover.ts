import { StatedTotal, statedCoverage } from "../coverage.ts";
import { CoveredBlocks } from "../covered-blocks.ts";
import { ReportError } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { countIn } from "../text-numbers.ts";
import { visitXml } from "../xml.ts";

const method = "CoverageSession/Modules/Module/Classes/Class/Methods/Method";

/**
 * OpenCover XML, which coverlet writes too. The coverage is the `Summary` of the whole session; those of modules,
 * classes and methods are ignored. Sequence points are the statements of .NET. A session without a summary is refused.
 */
export const openCover: Format = {
  name: "opencover",
  title: "OpenCover XML",
  words: ["CoverageSession", "SequencePoint", "numSequencePoints", "visitedSequencePoints", "Module", "FileRef"],
  time: "none",
  metrics: ["unit_coverage", "integration_coverage"],

  // The least after a run is one sequence point in the summary of the session.
  looksLike: ({ root }) => root?.name === "CoverageSession",

  read(document): Facts {
    const points = new CoveredBlocks();
    let files = new Map<string | undefined, string | undefined>();
    let ofMethod: string | undefined;
    const stated = new StatedTotal();
    visitXml(document.text, {
      "CoverageSession/Summary": {
        open({ visitedSequencePoints, numSequencePoints }) {
          stated.set({
            covered: countIn(visitedSequencePoints, "visitedSequencePoints of <Summary>"),
            total: countIn(numSequencePoints, "numSequencePoints of <Summary>"),
          });
        },
      },
      "CoverageSession/Modules/Module": {
        open() {
          files = new Map();
        },
      },
      "CoverageSession/Modules/Module/Files/File": {
        open({ uid, fullPath }) {
          files.set(uid, fullPath);
        },
      },
      [method]: {
        open() {
          ofMethod = undefined;
        },
      },
      [`${method}/FileRef`]: {
        open({ uid }) {
          ofMethod = uid;
        },
      },
      [`${method}/SequencePoints/SequencePoint`]: {
        open({ fileid, sl, sc, el, ec, vc }) {
          const file = files.get(fileid ?? ofMethod) ?? "";
          points.add(file, `${sl}.${sc},${el}.${ec}`, { size: 1, covered: countIn(vc, "vc of <SequencePoint>") > 0 });
        },
      },
    });
    if (!stated.value)
      throw new ReportError("nothing-measured", "measured nothing: it has no <Summary> of the session");
    return {
      coverage: statedCoverage({ unit: "statements", ...stated.value }, points),
      notes: ["sequence points are counted: OpenCover has no total of lines"],
    };
  },
};
