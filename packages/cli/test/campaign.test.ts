import { createClient } from "@maturity/client";
import { beforeAll, expect, test } from "vitest";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const due = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
const campaign = (...argv: string[]) => service.maturity(["campaign", ...argv]);
const secrets = [
  ...["--name", "No secrets", "--why", "two incidents", "--owner", "security office"],
  ...["--metric", "secret_scan", "--min", "100", "--due", due],
];

beforeAll(async () => {
  await createClient({ url: service.url }).submitAll([
    { ...cart, scorecard: "security", metric: "secret_scan", raw: { found: true } },
    { ...cart, app: "clean", scorecard: "security", metric: "secret_scan", raw: { found: false } },
    { ...cart, app: "silent", scorecard: "reliability", metric: "sla", raw: { availability_pct: 100 } },
  ]);
});

test("a campaign is made, listed, shown with who is left, named by status, and ended", async () => {
  const dry = await campaign("create", ...secrets, "--area", "shop", "--dry-run");
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  expect(dry.stdout).toBe(
    `would make the campaign No secrets: security.secret_scan from 100 on by ${due}\n  3 members: 1 meet the goal now, 2 do not\nnothing is changed (--dry-run)\n`,
  );
  expect((await campaign("list")).stdout).toBe("no campaigns\n");

  const made = await campaign("create", ...secrets, "--area", "shop", "--env", "prod", "--yes", "--json");
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const { id } = JSON.parse(made.stdout);
  expect(JSON.parse(made.stdout)).toMatchObject({
    scope: { areas: ["shop"], env: ["prod"] },
    state: "running",
    progress: { members: 3, met: 1, left: 2 },
  });

  const list = await campaign("list", "--area", "shop");
  expect(list.stdout).toContain(id.slice(0, 8));
  expect(list.stdout).toMatch(
    /No secrets +running +\d{4}-\d\d-\d\d +security\.secret_scan from 100 on +33 % +2 +security/,
  );

  const shown = await campaign("show", id.slice(0, 8));
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toContain("1 of 3 meet the goal (33 %)");
  expect(shown.stdout).toMatch(
    /silent +prod +- +100 +security\.secret_scan, never reported\n.*cart +prod +0 +100 +security\.secret_scan, \+100\.0/,
  );
  expect(shown.stdout).not.toContain("clean");

  const status = await service.maturity(["app", "show", "--area", "shop", "--team", "checkout", "--app", "cart"]);
  expect(status.stdout).toContain(
    `  No secrets, due ${due}: has 0, needs 100; fix first security.secret_scan, +100.0\n`,
  );
  const json = await service.maturity([
    "app",
    "show",
    "--area",
    "shop",
    "--team",
    "checkout",
    "--app",
    "clean",
    "--json",
  ]);
  expect(JSON.parse(json.stdout).items).toMatchObject([{ campaigns: [] }]);

  expect((await campaign("end", id.slice(0, 8), "--dry-run")).stdout).toMatch(/^would end: No secrets; 1 meet/);
  expect((await campaign("end", id, "--yes")).stdout).toMatch(/^ended: No secrets; 1 meet the goal, 2 do not\n/);
  expect((await campaign("end", id, "--dry-run")).stdout).toMatch(/^the campaign is ended, so it cannot be ended/);
  expect(JSON.parse((await campaign("list", "--state", "ended", "--json")).stdout).items).toMatchObject([{ id }]);
});

test.each([
  [["--level", "gold"], "give one of --metric, --scorecard, --level and --no-open"],
  [["--problem", "leak"], "--problem goes with --no-open"],
  [["--team", "checkout"], "--team needs one --area"],
  [["--label", "kind"], "--label must be a name and a value"],
  [["--name", ""], "--name"],
])("campaign create refuses %j", async (argv, message) => {
  const { code, stderr } = await campaign("create", ...secrets, ...argv, "--yes");
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test("a label may be named as a member that every object has", async () => {
  const labels = ["--label", "constructor=acme", "--label", "constructor=other"];
  expect(await campaign("create", ...secrets, ...labels, "--dry-run")).toMatchObject({
    code: 3,
    stderr: 'maturity: scope.labels.constructor there is no label "constructor"\n',
  });
});

test("campaign create refuses a score that nothing can miss", async () => {
  const argv = secrets.map((one) => (one === "100" ? "0" : one));
  expect(await campaign("create", ...argv, "--yes")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("give --min"),
  });
});

test("a campaign that is not there is said to be missing", async () => {
  expect(await campaign("show", "0000")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("begins with 0000"),
  });
  expect(await campaign("end", "nonsense", "--yes")).toMatchObject({ code: 2 });
});
