import { expect, test } from "vitest";
import { maturity } from "./support/cli.ts";

test.each([[["app"]], [["app", "--json"]], [["app", "--area", "shop", "--json"]]])(
  "%j names the commands that there are",
  async (argv) => {
    const { code, stdout, stderr } = await maturity(argv);
    expect(code).toBe(2);
    expect(stderr).toContain("Usage: maturity app");
    if (!argv.includes("--json")) return expect(stdout).toBe("");
    const message =
      "maturity app needs one of its commands: list, show, changes, levels, register, import, move, merge, retire, restore";
    expect(JSON.parse(stdout)).toEqual({ error: { code: "wrong-usage", message } });
  },
);

test.each([
  ["list apps", "app list"],
  ["list problems --all", "problem list"],
  ["apps list", "app list --registered"],
  ["apps aliases", "app list --former-names"],
  ["apps move --area shop", "app move"],
  ["apps", "app list"],
  ["waive --area shop", "waiver add"],
  ["waivers revoke 0195e1f4", "waiver revoke"],
  ["waivers --all", "waiver list"],
  ["history", "score history"],
  ["changes", "app changes"],
  ["upload trivy.json", "submit"],
  ["help waive", "waiver add"],
])("the former spelling %s is said to be %s", async (line, meant) => {
  const { code, stdout, stderr } = await maturity(line.split(" "));
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(new RegExp(`^maturity: there is no command .*: it is maturity ${meant}\n`));
});

test.each([
  ["problem trivy.json", "list, times, weeks, report"],
  ["audit --since 30d", "list"],
])("the noun of %s names its commands", async (line, verbs) => {
  const { code, stdout } = await maturity([...line.split(" "), "--json"]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout).error.message).toContain(verbs);
});

test.each([
  ["app show cart", "maturity app show takes options alone, and cart is none; is it --app cart?"],
  ["team show checkout --all", "maturity team show takes options alone, and checkout is none; is it --team checkout?"],
  ["doctor now", "maturity doctor takes options alone, and now is none"],
])("a name without its option is refused: %s", async (line, message) => {
  const { code, stdout, stderr } = await maturity(line.split(" "));
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(`maturity: ${message}\n`),
  });
});

test("the help stands in groups, and fits a screen of 80 columns and 54 lines", async () => {
  const { stdout } = await maturity(["--help"]);
  const lines = stdout.split("\n");
  expect(lines.length).toBeLessThanOrEqual(54);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(stdout).toMatch(/\nIn a pipeline:\n {2}submit .*\n.*\nTo ask:\n {2}status .*\n.*\nTo administer:\n {2}app /s);
});

test.each([
  ["submit", ["0", "1", "2", "3", "4", "5"], "open or resolve the problem"],
  ["gate", ["0", "1", "2", "3", "4", "5"], "look for the problem"],
  ["detect", ["0", "2", "5"], "look for the problem"],
])("the help of %s lists the codes with which it ends, and says what --problems does", async (name, codes, does) => {
  const { stdout } = await maturity([name, "--help"]);
  const [, listed = ""] = stdout.split("Exit codes:\n");
  expect([...listed.matchAll(/^ {2}(\d) /gm)].map(([, code]) => code)).toEqual(codes);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(`--problems <pattern=type> ${does} of this type`);
});

test("formats and metrics are lists of their own", async () => {
  const formats = await maturity(["formats"]);
  expect(formats).toMatchObject({ code: 0, stderr: "" });
  expect(formats.stdout).toMatch(/^trivy +Trivy JSON +.*\bimage_scan\b/m);
  const { stdout } = await maturity(["metrics", "--json"]);
  expect(JSON.parse(stdout).items).toContainEqual(
    expect.objectContaining({ metric: "image_scan", scorecard: "security", weight: expect.any(Number) }),
  );
});

test("a metric shows what its scorecard says of it", async () => {
  const { stdout } = await maturity(["metrics", "stress_test"]);
  expect(stdout).toMatch(/^stress_test {2}\S.*\n {2}scorecard application, weight 10\n/);
  expect(stdout).toMatch(/^INPUT .*FROM +TO +BETTER$/m);
  expect(stdout).toMatch(/^error_rate .* 0 +1 +lower$/m);
  const { stdout: json } = await maturity(["metrics", "application.stress_test", "--json"]);
  expect(JSON.parse(json)).toMatchObject({
    metric: "stress_test",
    inputs: [{ field: "error_rate", min: 0, max: 1 }, {}, {}],
  });
  expect(await maturity(["metrics", "stres_test"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is no metric stres_test; did you mean stress_test?"),
  });
});
