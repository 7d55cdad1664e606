import { CoveredBlocks } from "../covered-blocks.ts";
import { unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { isCount, isNumber } from "../text-numbers.ts";

/**
 * Cover profiles of `go test -coverprofile`, in every mode. Go counts statements, not lines. The percentage equals the
 * total of `go tool cover -func`. With `-coverpkg` a block is listed for several packages; it counts once.
 */
export const goCover: Format = {
  name: "go-cover",
  title: "Go cover profile",
  words: ["mode"],
  time: "none",
  metrics: ["unit_coverage", "integration_coverage"],

  // The least after a run is one block. The line of the mode stands there before any test has run.
  looksLike({ text }) {
    return /^\s*mode: (?:set|count|atomic)\s/.test(text);
  },

  read(document): Facts {
    const blocks = new CoveredBlocks();
    let number = 0;
    for (const line of document.lines()) {
      number++;
      if (line === "" || modeLine.test(line)) continue;
      const [, file, place, size, count] = blockLine.exec(line) ?? [];
      if (file === undefined || place === undefined) {
        throw unreadable(
          `line ${number} must be <file>:<line>.<column>,<line>.<column> <statements> <count>: the file may be cut off there`,
        );
      }
      if (!isCount(Number(size)) || !isNumber(count)) throw unreadable(`line ${number} has a number that is too large`);
      blocks.add(file, place, { size: Number(size), covered: Number(count) > 0 });
    }
    return {
      coverage: { unit: "statements", ...blocks.count(), places: blocks },
      notes: ["statements are counted: a Go cover profile has no lines"],
    };
  },
};

const modeLine = /^mode: (?:set|count|atomic)$/;
const blockLine = /^(.+):(\d+\.\d+,\d+\.\d+) (\d+) (\d+)$/;
