import { createClient } from "@maturity/client";
import { beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../../../services/scoring/src/auth/token.ts";
import { insertToken } from "../../../services/scoring/src/auth/tokens.ts";
import type { Bounds, Scope } from "../../../services/scoring/src/model/grant.ts";
import { makeKnown } from "../../../services/scoring/test/support/known-names.ts";
import { useDirectory } from "../../../test-support/trees.ts";
import type { Result } from "./support/cli.ts";
import { cart, gatedService, sast } from "./support/gated-service.ts";
import { listeningService } from "./support/listening-service.ts";
import { gitleaks } from "./support/sample-reports.ts";

const service = gatedService();

const gate = (argv: readonly string[], options = {}) => service.maturity(["gate", ...argv], {}, options);
const last = ({ code, stdout }: Result) => ({ code, verdict: stdout.trimEnd().split("\n").at(-1) });

describe("--no-worse", () => {
  test("fails for a score below the stored one, and says which value made it so", async () => {
    expect(await gate(["--no-worse", ...sast(6)])).toEqual({
      code: 1,
      stdout: `sast 35.36 by @maturity/security@0.1.0
  6 high findings leave 35 % of the score; every 4 of them halve it
  stored is 50: 14.64 worse, by high 4 → 6
no worse than stored: not met
`,
      stderr: "",
    });
  });

  test.each([
    [4, "stored is 50: as much"],
    [2, "stored is 50: 20.71 better, by high 4 → 2"],
  ])("passes with %i findings", async (high, text) => {
    const { code, stdout } = await gate(["--no-worse", ...sast(high)]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(`\n  ${text}\nno worse than stored: met\n`),
    });
  });

  test("passes where nothing is stored yet, and says so", async () => {
    const { code, stdout } = await gate(["--no-worse", ...sast(60), "--app", "new"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(
        "\n  nothing is stored under this name to compare with\nno worse than stored: met\n",
      ),
    });
  });

  test("compares by the same rules: another version of them fails nobody", async () => {
    await service.database.knex.raw(
      "UPDATE scores SET score = 90, scorer = '@maturity/security@0.0.1' WHERE metric_id IN (SELECT id FROM metrics WHERE metric = 'sast')",
    );
    const { code, stdout } = await gate(["--no-worse", ...sast(4)]);
    await service.database.knex.raw(
      "UPDATE scores SET score = 50 WHERE metric_id IN (SELECT id FROM metrics WHERE metric = 'sast')",
    );
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("\n  stored is 90 (50 by the rules on this machine): as much\n"),
    });
  });

  test("a flag written as a number is no other value", async () => {
    const { stdout } = await gate(["--no-worse", "-m", "secret_scan", "-r", "found=0"]);
    expect(stdout).toContain("\n  stored is 100: as much\n");
  });
});

describe("--max-drop", () => {
  test.each([
    ["14.64", 0],
    ["14.63", 1],
    ["0", 1],
    ["100", 0],
  ])("%s points", async (points, code) => {
    const result = await gate(["--max-drop", points, ...sast(6)]);
    const what = points === "0" ? "no worse than stored" : `at most ${points} below what is stored`;
    expect(last(result)).toEqual({ code, verdict: `${what}: ${code === 0 ? "met" : "not met"}` });
  });
});

describe("--app-min", () => {
  test("is about the application as it would be", async () => {
    // security: 25 of sast and 25 of secret_scan, weight 35; reliability: sla 50, weight 40
    const { code, stdout } = await gate(["--app-min", "60", ...sast(6)]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: `sast 35.36 by @maturity/security@0.1.0
  6 high findings leave 35 % of the score; every 4 of them halve it
the application scores 61.7, and 58.3 with this
application at least 60: not met
`,
    });
    expect(last(await gate(["--app-min", "58.2", ...sast(6)])).code).toBe(0);
  });

  test("comes true once the result is stored", async () => {
    const argv = [...sast(6), "--app", "promised"];
    await service.maturity(["submit", "-m", "sla", "-r", "availability_pct=99", "--app", "promised"]);
    const { stdout } = await gate(["--json", "--app-min", "1", ...argv]);
    await service.maturity(["submit", ...argv]);
    const status = await service.maturity(["status", "--json", "--app", "promised"]);
    expect(JSON.parse(stdout).app.score_with).toBeCloseTo(JSON.parse(status.stdout).items[0].score, 9);
  });

  test("of an application that reported nothing is that of this result alone", async () => {
    const { stdout } = await gate(["--app-min", "1", ...sast(4), "--app", "new"]);
    expect(stdout).toContain("\nthe application has no score yet, and 50.0 with this\n");
  });

  test("leaves out what is waived, whoever waived it", async () => {
    const { id } = await createClient({ url: service.url }).waive({
      ...{ kind: "not_applicable", area: "shop", scorecard: "security", metric: "sast" },
      ...{ reason: "no code", owner: "ann" },
    });
    const { stdout } = await gate(["--app-min", "1", ...sast(60)]);
    await createClient({ url: service.url }).revokeWaiver(id);
    expect(stdout).toContain("\nthe application scores 73.3, and 73.3 with this too\n");
  });

  test("is not met by an application of which everything is waived", async () => {
    await makeKnown(service, { area: "waived" });
    const { id } = await createClient({ url: service.url }).waive({
      ...{ kind: "not_applicable", area: "waived", scorecard: "security" },
      ...{ reason: "no code", owner: "ann" },
    });
    const { code, stdout } = await gate(["--app-min", "0", ...sast(0), "--area", "waived"]);
    await createClient({ url: service.url }).revokeWaiver(id);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining("all that it reported is waived\n") });
  });

  test("is refused for a metric that the service does not have", async () => {
    const directory = await useDirectory();
    const fetch = async (request: Request) =>
      new URL(request.url).pathname === "/scorecards"
        ? Response.json({ as_of: new Date().toISOString(), items: [], next: null, total: 0 })
        : globalThis.fetch(request);
    const { code, stderr } = await gate(["--app-min", "1", ...sast(1)], { fetch, cwd: directory });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "maturity: the service has no metric security.sast, so it has no part in the application's score\n",
    });
  });
});

test("an application that has moved is compared by its present name", async () => {
  const moved = { ...cart, app: "basket" };
  const client = createClient({ url: service.url });
  const raw = { critical: 0, high: 4, medium: 0 };
  await client.submit({ ...moved, team: "former", scorecard: "security", metric: "sast", raw });
  await client.move({ from: { area: "shop", team: "former" }, to: { area: "shop", team: "present" } });
  await client.move({
    from: { area: "shop", team: "present", app: "basket" },
    to: { area: "shop", team: "present", app: "trolley" },
  });
  const { code, stdout } = await gate([
    "--no-worse",
    "--app-min",
    "1",
    ...sast(6),
    "--team",
    "former",
    "--app",
    "basket",
  ]);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining(
      "\n  stored is 50: 14.64 worse, by high 4 → 6\nthe application scores 50.0, and 35.4 with this\n",
    ),
  });
});

test("a token of another team does not let a gate pass because it sees nothing", async () => {
  const fetch = async (request: Request) =>
    new URL(request.url).pathname === "/whoami"
      ? Response.json({
          name: "search",
          scopes: ["read"],
          grants: [{ scopes: ["read"], bounds: { area: "shop", team: "search" } }],
        })
      : globalThis.fetch(request);
  const { code, stderr } = await gate(["--no-worse", ...sast(60), "--app", "unseen"], { fetch });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "maturity: the token search cannot read what is stored of team checkout: it is for team search\n",
  });
});

describe("a token of a former name", () => {
  const inMail = { area: "mail", team: "post", app: "letters" };
  const guarded = listeningService({ auth: "token" });
  const makeToken = async (name: string, scopes: readonly Scope[], bounds: Bounds) => {
    const token = createToken();
    await insertToken(guarded.database.knex, { name, hash: hashToken(token), scopes, bounds });
    return token;
  };

  beforeAll(async () => {
    const client = createClient({ url: guarded.url, token: await makeToken("admin", ["admin"], {}) });
    await client.submit({ ...cart, scorecard: "security", metric: "sast", raw: { critical: 0, high: 4, medium: 0 } });
    await client.move({ from: { area: "shop", team: "checkout" }, to: { area: "shop", team: "payments" } });
    const raw = { critical: 0, high: 4, medium: 0 };
    await client.submit({ ...cart, ...inMail, scorecard: "security", metric: "sast", raw });
    await client.move({ from: { area: "mail" }, to: { area: "courier" } });
  });

  test.each([{ team: "post" }, { app: "letters" }])(
    "%o, within which the application has stayed, compares with what is stored of it",
    async (bounds) => {
      const env = {
        ...{ MATURITY_TOKEN: await makeToken("pipeline", ["read"], bounds), MATURITY_AREA: inMail.area },
        ...{ MATURITY_TEAM: inMail.team, MATURITY_APP: inMail.app },
      };
      const { code, stdout } = await guarded.maturity(["gate", "--no-worse", ...sast(60)], {}, { env });
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining("high") });
    },
  );

  test.each([
    [{ area: "shop", team: "checkout" }, "--no-worse"],
    [{ area: "shop", team: "checkout", app: "cart" }, "--max-drop=5"],
  ])("%o does not let a gate pass because all it could read has moved away", async (bounds, condition) => {
    const env = { MATURITY_TOKEN: await makeToken("pipeline", ["read"], bounds) };
    const { code, stdout, stderr } = await guarded.maturity(["gate", condition, ...sast(60)], {}, { env });
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: "",
      stderr: "maturity: shop/checkout/cart has moved out of your bounds\n",
    });
  });
});

test("all conditions together, for machines", async () => {
  const argv = ["--json", "--min", "40", "--max-drop", "20", "--app-min", "50", ...sast(6)];
  const { code, stdout } = await gate(argv);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    ...{ code: 1, min: 40, max_drop: 20, met: false },
    app: { min: 50, score: expect.closeTo(61.67, 1), score_with: expect.closeTo(58.25, 1) },
    scores: [
      {
        ...{ metric: "sast", score: 35.36, met: false },
        comparison: { stored: 50, change: -14.64, moved: [{ field: "high", from: 4, to: 6 }] },
        reach: { alone: [{ field: "high", to: 5 }] },
      },
    ],
  });
});

describe("where the service cannot be asked the gate does not pass", () => {
  test("nobody answers", async () => {
    const fetch = () => Promise.reject(new TypeError("fetch failed"));
    expect((await gate(["--no-worse", "--timeout", "1", ...sast(0)], { fetch })).code).toBe(4);
  });

  test("the token may not read", async () => {
    const error = { statusCode: 403, error: "Forbidden", message: "no", code: "forbidden" };
    const fetch = async () => Response.json(error, { status: 403 });
    expect((await gate(["--no-worse", ...sast(0)], { fetch })).code).toBe(3);
  });

  test("unless the caller says so", async () => {
    const fetch = () => Promise.reject(new TypeError("fetch failed"));
    const { code, stderr } = await gate(["--no-worse", "--soft-fail", "--timeout", "1", ...sast(0)], { fetch });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("going on in spite of exit code 4") });
  });

  test.each(["MATURITY_URL", "MATURITY_APP"])("%s is missing", async (name) => {
    expect((await gate(["--no-worse", ...sast(0)], { env: { [name]: "" } })).code).toBe(2);
  });
});

test.each([
  [["--no-worse", "--max-drop", "1"], "--no-worse is --max-drop 0: give one of the two"],
  [["--max-drop", "x"], "--max-drop must be from 0 to 100"],
  [["--app-min", "101"], "--app-min must be from 0 to 100"],
])("%j is refused", async (argv, message) => {
  expect(await gate([...argv, ...sast(0)])).toMatchObject({ code: 2, stderr: `maturity: ${message}\n` });
});

test("--no-new-problems passes what is open already, and nothing else", async () => {
  const files = { "gitleaks.json": gitleaks("a.tf") };
  const argv = ["gate", "--no-new-problems", "--problems", "gitleaks.json=key,high", "gitleaks.json"];
  const fresh = await service.maturity(argv, files);
  expect(fresh.stdout).toContain("\nno new problems, but there is key: not met\n");
  expect(fresh.code).toBe(1);
  const client = createClient({ url: service.url });
  await client.reportProblem({ ...cart, problem_type: "key", severity: "high", count: 1, details: [] });
  expect(await service.maturity(argv, files)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("\nno new problems: met\n"),
  });
});
