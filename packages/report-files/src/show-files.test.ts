import { Writable } from "node:stream";
import { createOutput, type OutputStream } from "@maturity/command-line/output";
import { expect, test } from "vitest";
import { showFiles } from "./show-files.ts";
import type { Verdict } from "./verdict.ts";

const refused: Verdict = {
  file: "reports/a/very/long/path/of/a/report/checkov.json",
  format: "checkov",
  uses: [],
  notes: [],
  refusal: {
    state: "passed over",
    code: "undecided",
    reason: "this report is not made for one metric, so name it: give --metric checkov.json=secret_scan",
    isReport: true,
  },
};

function shown(verdict: Verdict, terminal: { isTTY: boolean; columns: number }): string[] {
  let text = "";
  const stdout: OutputStream = Object.assign(
    new Writable({
      write(chunk, _, done) {
        text += chunk;
        done();
      },
    }),
    terminal,
  );
  const context = { env: { NO_COLOR: "1" }, stdout, stderr: stdout } as unknown as Parameters<typeof createOutput>[0];
  showFiles([verdict], createOutput(context, {}));
  return text.split("\n").slice(0, -1);
}

test("on a terminal the table keeps to the width, and loses no word of the reason", () => {
  for (const columns of [60, 80, 132]) {
    const lines = shown(refused, { isTTY: true, columns });
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    const text = lines.join("").replaceAll(" ", "");
    expect(text).toContain(refused.refusal?.reason.replaceAll(" ", ""));
  }
  expect(shown(refused, { isTTY: true, columns: 60 })[0]).toMatch(/^….*checkov\.json {2}checkov {2}passed over:$/);
});

test("in a pipe each file has one line, with all of its path", () => {
  const lines = shown(refused, { isTTY: false, columns: 80 });
  expect(lines).toEqual([`${refused.file}  checkov  passed over: ${refused.refusal?.reason}`]);
});

test("names move no cursor and begin no line", () => {
  const hostile = { ...refused, file: "a\nb\u001b[2J\u202e::error::.json" };
  const lines = shown(hostile, { isTTY: false, columns: 80 });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^a\\u\{a\}b\\u\{1b\}\[2J\\u\{202e\}/);
  expect(shown({ ...refused, file: "::set-output" }, { isTTY: false, columns: 80 })[0]).toMatch(/^: :set/);
});
