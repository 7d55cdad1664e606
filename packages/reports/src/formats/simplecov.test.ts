import { expect, test } from "vitest";
import { covered } from "../../test/support/covered.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { mergeReadings, readReport } from "../index.ts";
import { simplecov } from "./simplecov.ts";

const run = (coverage: object, timestamp = 1_760_000_000) => ({ coverage, timestamp });

testFormat(simplecov, {
  "lines, null where there is nothing to run": {
    report: { RSpec: run({ "/shop/cart.rb": { lines: [null, 1, 0, 7, null], branches: {} } }) },
    reads: covered(2, 3),
  },
  "a list of hits, as before SimpleCov 0.18": {
    report: { RSpec: run({ "/shop/cart.rb": [null, 1, 0], "/shop/empty.rb": [] }, 1_760_000_000.5) },
    reads: covered(1, 2),
  },
  "a line counts once for all commands, covered by any": {
    report: { RSpec: run({ "/a.rb": [1, 0, 0] }), "Cucumber Features": run({ "/a.rb": [0, 3, 0], "/b.rb": [0] }) },
    reads: covered(2, 4),
  },
  "what one run never reached and another calls irrelevant is left out": {
    report: { RSpec: run({ "/a.rb": [0, 0, 0] }), Cucumber: run({ "/a.rb": [null, 0, 5] }) },
    reads: covered(1, 2),
  },
  "what any run reached counts": {
    report: { RSpec: run({ "/a.rb": [null, 2] }), Cucumber: run({ "/a.rb": [3, null] }) },
    reads: covered(2, 2),
  },
  "without a timestamp": { report: { Rspec: { coverage: { "/a.rb": { lines: [1] } } } }, reads: covered(1, 1) },

  "nothing loaded": { report: { RSpec: run({}) }, refused: ["nothing-measured", "measured nothing: it has no lines"] },
  "a run without coverage": {
    report: { RSpec: run({ "/a.rb": [1] }), Cucumber: { timestamp: 1 } },
    refused: ["unreadable-report", "coverage of each command must be an object"],
  },
  "a file without lines": {
    report: { RSpec: run({ "/a.rb": [1], "/b.rb": { branches: {} } }) },
    refused: ["unreadable-report", "the lines of each file must be a list"],
  },
  "hits as a text": {
    report: { RSpec: run({ "/a.rb": [1, "2"] }) },
    refused: ["unreadable-report", "the hits of a line must be a number from 0 on, or null"],
  },
});

test("the files of several machines merge as the commands of one do", () => {
  const shards = [{ RSpec: run({ "/a.rb": [0, 0, 0] }) }, { RSpec: run({ "/a.rb": [null, 0, 5] }) }];
  const merged = mergeReadings(shards.map((shard) => readReport(JSON.stringify(shard), { metric: "unit_coverage" })));
  expect(merged).toMatchObject({ ...covered(1, 2), notes: [] });
});
