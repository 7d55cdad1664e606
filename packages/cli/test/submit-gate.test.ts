import { expect, test } from "vitest";
import { gatedService, sast } from "./support/gated-service.ts";
import { gitleaks } from "./support/sample-reports.ts";

const service = gatedService();
const submit = (argv: readonly string[], files = {}) => service.maturity(["submit", ...argv], files);
const once = ["--app", "once"];

test("submit --gate stores a result, and compares it with the one that was stored before", async () => {
  await submit([...sast(4), ...once]);
  const { code, stdout } = await submit(["--gate", "--no-worse", "--min", "40", ...sast(6), ...once]);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringMatching(
      /^sast 35\.36 .*\n.*\n {2}stored is 50: 14\.64 worse, by high 4 → 6\n {2}to reach 40:\n {4}high: 6 → at most 5\nat least 40: not met\nno worse than stored: not met\nstored for shop \/ checkout \/ once \/ prod\n/,
    ),
  });
  expect((await service.rows("scores")).find(({ app }) => app === "once")).toMatchObject({ raw: { high: 6 } });
  const passing = await submit(["--gate", "--no-worse", "--json", ...sast(6), ...once]);
  expect({ code: passing.code, ...JSON.parse(passing.stdout) }).toMatchObject({
    code: 0,
    scores: [{ metric: "sast", met: true, comparison: { stored: 35.36, change: 0 }, reported_at: expect.any(String) }],
    gate: { max_drop: 0, met: true },
  });
});

test("submit --gate opens the problem that fails it", async () => {
  const files = { "gitleaks.json": gitleaks("a.tf") };
  const argv = ["--gate", "--no-new-problems", "--problems", "gitleaks.json=once,high", "gitleaks.json", ...once];
  expect(await submit(argv, files)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("no new problems, but there is once: not met\n"),
  });
  expect(await submit(argv, files)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("no new problems: met"),
  });
});

test("submit --gate takes a minimum beside problems without a condition about these", async () => {
  const argv = ["--gate", "--min", "0", "--problems", "g.json=p,high", "g.json", "--dry-run"];
  expect((await submit(argv, { "g.json": gitleaks("a.tf") })).code).toBe(0);
});

test.each([[["gate"]], [["submit", "--gate"]]])("%j over no score meets no condition about scores", async (command) => {
  const misconfigurations = JSON.stringify({
    ...{ SchemaVersion: 2, ArtifactName: ".", ArtifactType: "filesystem" },
    Results: [{ Target: "main.tf", Class: "config", Type: "terraform", MisconfSummary: { Successes: 5, Failures: 0 } }],
  });
  const argv = ["--no-new-problems", "--problems", "d/c.json=iac,misconfigurations,high", "d", "--min", "0"];
  const run = (more: readonly string[]) =>
    service.maturity([...command, ...argv, ...more], { "d/c.json": misconfigurations });
  expect(await run(["--no-worse"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`
at least 0, and no report feeds a metric: not met
no worse than stored, and no report feeds a metric: not met
no new problems: met
`),
  });
  const { code, stdout } = await run(["--max-drop", "100", "--json"]);
  const { scores, gate, met = gate.met } = JSON.parse(stdout);
  expect({ code, scores, met }).toEqual({ code: 1, scores: [], met: false });
});

test("submit --gate sends nothing with --dry-run, and compares all the same", async () => {
  const { code, stdout } = await submit(["--gate", "--no-worse", "--dry-run", ...sast(9), ...once]);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining("nothing was sent (--dry-run); it would be for shop / checkout / once / prod\n"),
  });
  expect((await service.rows("scores")).find(({ app }) => app === "once")).toMatchObject({ raw: { high: 6 } });
});

test.each([
  ["a condition without it", ["--min", "80"], "need --gate"],
  ["it without a condition", ["--gate"], "give what must hold"],
])("submit --gate refuses %s", async (_, argv, message) => {
  expect(await submit([...argv, ...sast(1)])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
