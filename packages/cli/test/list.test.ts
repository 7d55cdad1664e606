import { createClient } from "@maturity/client";
import { widthOf } from "@maturity/command-line/text-width";
import { beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../../../services/scoring/src/auth/token.ts";
import { insertToken } from "../../../services/scoring/src/auth/tokens.ts";
import { listeningService } from "./support/listening-service.ts";
import { pinnedEngine } from "./support/pinned-engine.ts";

const service = listeningService({ engine: pinnedEngine });
const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const meeting = { ...cart, app: "\u4f1a\u8b70\u30a2\u30d7\u30ea\u30b1\u30fc\u30b7\u30e7\u30f3 of a long name" };
const ledger = { area: "bank", team: "accounts", app: "ledger", env: "test" };

beforeAll(async () => {
  const client = createClient({ url: service.url });
  await client.submitAll([
    { ...cart, scorecard: "security", metric: "secret_scan", raw: { found: true } },
    { ...cart, scorecard: "security", metric: "image_scan", raw: { critical: 0, high: 3, medium: 12 } },
    { ...meeting, scorecard: "security", metric: "secret_scan", raw: { found: false } },
    { ...ledger, scorecard: "reliability", metric: "sla", raw: { availability_pct: 99 } },
  ]);
  const problem = { ...cart, count: 2, details: [] };
  await client.reportProblem({ ...problem, problem_type: "old_base_image", severity: "low" });
  await client.reportProblem({ ...problem, problem_type: "terraform_secret", severity: "high" });
  await client.reportProblem({ ...problem, problem_type: "resolved", severity: "high", count: 0 });
});

/** Without the blanks that fill a column. */
const squeezed = (text: string) => text.replace(/ +/g, " ");

describe("a table", () => {
  test("of applications, the worst first, narrowed by flags alone", async () => {
    expect(await service.maturity(["app", "list"])).toEqual({
      code: 0,
      stdout: `${[
        "AREA  TEAM      APP                                  ENV   SCORE  REPORTED        FRESH  PROBLEMS        LEVEL",
        "shop  checkout  cart                                 prod   26.8      18 %  thin   18 %  1 high, 1 more  none",
        "bank  accounts  ledger                               test   50.0       8 %  thin    8 %  -               none",
        "shop  checkout  \u4f1a\u8b70\u30a2\u30d7\u30ea\u30b1\u30fc\u30b7\u30e7\u30f3 of a long name  prod  100.0       9 %  thin    9 %  -               none",
      ].join("\n")}\n`,
      stderr: "",
    });
  });

  test.each(["app", "team", "area", "score", "problem"])("of %s fits a terminal", async (what) => {
    const { stdout } = await service.maturity([what, "list"], {}, { isTTY: true, columns: 60, env: { NO_COLOR: "1" } });
    const lines = stdout.trimEnd().split("\n");
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(60);
    expect(lines.length).toBeGreaterThan(1);
  });

  test.each<[string, string[], string]>([
    ["teams", ["team", "--area", "shop"], "shop checkout prod 63.4 13 % thin 13 % 2 26.8 1 high, 1 more"],
    ["areas", ["area", "--env", "test"], "bank test 50.0 8 % thin 8 % 1 50.0 -"],
    ["scores", ["score", "--below", "50"], "shop checkout cart prod secret_scan 0.0 fresh 1 minute"],
    ["scores of a metric", ["score", "-m", "sla"], "bank accounts ledger test sla 50.0 fresh 1 minute"],
    ["problems", ["problem", "--severity", "low"], "shop checkout cart prod old_base_image low 2 1 minute"],
    ["apps by scorecard", ["app", "--missing", "security"], "bank accounts ledger test 50.0 8 % thin 8 % - none"],
    [
      "apps by what they lack",
      ["app", "--app", "ledger", "--lacks", "--below-level", "bronze", "--sort", "lacks", "--state", "fresh"],
      "bank accounts ledger test 50.0 none bronze 42.0 needs share fresh 50 %, has 8 %",
    ],
    ["apps of several", ["app", "--app", "ledger", "--app", "x"], "bank accounts ledger test 50.0 8 % thin 8 % - none"],
  ])("of %s", async (_, argv, line) => {
    const { stdout } = await service.maturity([argv[0] ?? "", "list", ...argv.slice(1)]);
    expect(stdout.split("\n").slice(1).map(squeezed)).toEqual([line, ""]);
  });

  test("of levels has what each needs, and how many have it", async () => {
    const { stdout } = await service.maturity(["app", "levels", "--env", "test"]);
    expect(stdout.split("\n").map(squeezed)).toEqual([
      "ENV LEVEL APPS BELOW NEEDS",
      "test none 1 0 ",
      "test bronze 0 1 score 50; share fresh 50 %",
      "test silver 0 1 score 70; share fresh 75 %",
      "test gold 0 1 score 85; share fresh 90 %; security.secret_scan 100; no open problem that is critical",
      "",
    ]);
  });

  test("of scores of several metrics has those alone, whatever other scorecards call theirs", async () => {
    const url = (argv: string[]) => {
      const urls: URL[] = [];
      const fetch = (request: Request) => {
        urls.push(new URL(request.url));
        return globalThis.fetch(request);
      };
      return service.maturity(["score", "list", ...argv], {}, { fetch }).then(() => urls[0]?.searchParams);
    };
    const asked = await url(["-m", "sast", "-m", "cost.sla"]);
    expect([asked?.getAll("metric"), asked?.getAll("scorecard")]).toEqual([["security.sast", "cost.sla"], []]);
  });

  test("of problems has the gravest first, and resolved ones only where asked for", async () => {
    const types = async (...flags: string[]) => {
      const { stdout } = await service.maturity(["problem", "list", ...flags]);
      return stdout.match(/terraform_secret|old_base_image|resolved(?= )/g);
    };
    expect(await types()).toEqual(["terraform_secret", "old_base_image"]);
    expect(await types("--all")).toContain("resolved");
  });

  test("that is cut off says so", async () => {
    const { stdout, stderr } = await service.maturity(["score", "list", "--limit", "2"]);
    expect(stdout.split("\n").map((line) => line.split(/ +/)[4])).toEqual(["METRIC", "secret_scan", "sla", undefined]);
    expect(stderr).toBe("note: 2 of 4 scores; --limit shows more, --json and --csv all\n");
  });

  test("that is cut off calls problems open only where all of them are", async () => {
    const note = async (...argv: string[]) =>
      (await service.maturity(["problem", "list", "--limit", "1", ...argv])).stderr.replace(/;.*\n/, "");
    expect([await note(), await note("--all")]).toEqual(["note: 1 of 2 open problems", "note: 1 of 3 problems"]);
  });

  test.each<[string[], string, string]>([
    [
      ["app", "--team", "chekcout"],
      "no applications match the flags\n",
      "team chekcout with a score; did you mean checkout?",
    ],
    [["score", "--env", "staging"], "no scores match the flags\n", "environment staging with a score"],
    [["problem", "--app", "ledgr"], "no open problems match the flags\n", "ledgr with a score; did you mean ledger?"],
    [["app", "--below", "1"], "no applications match the flags\n", ""],
  ])("of nothing says what leads to nothing: %j", async (argv, stdout, warning) => {
    const result = await service.maturity([argv[0] ?? "", "list", ...argv.slice(1)]);
    expect(result).toMatchObject({ code: 0, stdout });
    if (warning) expect(result.stderr).toContain(warning);
    else expect(result.stderr).toBe("");
  });
});

describe("for machines", () => {
  test("NDJSON has an object a line", async () => {
    const { code, stdout } = await service.maturity(["app", "list", "--ndjson"]);
    const apps = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect({ code, names: apps.map(({ app }) => app) }).toEqual({ code: 0, names: ["cart", "ledger", meeting.app] });
    const limited = await service.maturity(["score", "list", "--ndjson", "--limit", "3"]);
    expect(limited.stdout.trimEnd().split("\n")).toHaveLength(3);
  });

  test("JSON is one document, as the service has it", async () => {
    const { stdout } = await service.maturity(["score", "list", "--json", "--limit", "3"]);
    const list = JSON.parse(stdout);
    expect(list).toMatchObject({ as_of: expect.any(String), total: 4 });
    expect(list.items).toHaveLength(3);
    const none = await service.maturity(["score", "list", "--json", "--app", "nothing"]);
    expect(JSON.parse(none.stdout)).toMatchObject({ total: 0, items: [] });
  });

  test("JSON of which a page is missing is an error alone", async () => {
    const page = { as_of: "2026-01-01T00:00:00Z", items: [cart], next: "more", total: 2 };
    const refused = { statusCode: 400, code: "invalid-query", message: "cursor is too old" };
    const fetch = async ({ url }: Request) =>
      url.includes("cursor=more") ? Response.json(refused, { status: 400 }) : Response.json(page);
    const { code, stdout } = await service.maturity(["app", "list", "--json"], {}, { fetch });
    expect({ code, stdout: JSON.parse(stdout) }).toMatchObject({
      code: 3,
      stdout: { error: { message: "cursor is too old" } },
    });
  });

  test("CSV is that of the service", async () => {
    const of = { headers: { accept: "text/csv" } };
    const expected = await (await fetch(`${service.url}/apps?team=checkout&below=50`, of)).text();
    const result = await service.maturity(["app", "list", "--team", "checkout", "--below", "50", "--csv"]);
    expect(result).toEqual({ code: 0, stdout: expected, stderr: "" });
  });

  test("CSV on a terminal has no character that could move the cursor", async () => {
    const csv = "app\r\n\u001b[2Jcart\r\n";
    const answer = async () => new Response(csv, { headers: { "content-type": "text/csv" } });
    const { stdout } = await service.maturity(["app", "list", "--csv"], {}, { isTTY: true, fetch: answer });
    expect(stdout).toBe("app\n\\u{1b}[2Jcart\n");
  });

  test("a stream that breaks off ends with the code of an outage", async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("app\r\ncart\r\n")),
      pull: (controller) => controller.error(new Error("reset")),
    });
    const answer = async () => new Response(broken, { headers: { "content-type": "text/csv" } });
    const { code, stdout, stderr } = await service.maturity(["app", "list", "--csv"], {}, { fetch: answer });
    expect({ code, stdout }).toEqual({ code: 4, stdout: "app\r\ncart\r\n" });
    expect(stderr).toMatch(/^maturity: the answer broke off: .*: reset\n$/);
  });
});

test.each<[string, string[], number, string]>([
  ["a list that there is not", ["teem"], 2, "(Did you mean team?)"],
  ["a flag of another list", ["app", "--severity", "high"], 2, "unknown option '--severity'"],
  ["a state that there is not", ["score", "--state", "old"], 2, "Allowed choices are fresh, late, stale"],
  ["an order of another list", ["app", "--sort", "age"], 3, "sort must be one of [score, -score, reported, "],
  ["a bound that is none", ["app", "--below", "bad"], 2, "--below must be from 0 to 100"],
  ["a limit of nothing", ["app", "--limit", "0"], 2, "--limit must be a whole number from 1 on"],
  ["a limit of CSV", ["app", "--csv", "--limit", "5"], 2, "--csv prints everything"],
  ["two forms", ["app", "--csv", "--json"], 2, "give --json or --csv, not both"],
  ["two forms of JSON", ["app", "--ndjson", "--json"], 2, "'--ndjson' cannot be used with option '--json'"],
  ["a metric that there is not", ["score", "-m", "image_scna"], 2, "did you mean image_scan?"],
])("%s is refused", async (_, argv, code, message) => {
  const result = await service.maturity([argv[0] ?? "", "list", ...argv.slice(1)]);
  expect({ code: result.code, said: result.stderr + result.stdout }).toEqual({
    code,
    said: expect.stringContaining(message),
  });
});

describe("with access tokens", () => {
  const guarded = listeningService({ auth: "token" });
  const withScope = async (scope: "read" | "score:write") => {
    const token = createToken();
    await insertToken(guarded.database.knex, {
      name: scope,
      hash: hashToken(token),
      scopes: [scope],
      bounds: { area: "shop" },
    });
    return { env: { MATURITY_TOKEN: token } };
  };

  test.each([["app", "list"], ["app", "list", "--csv"], ["status"]])(
    "one that may not read is refused, and hears what it lacks: %s %s %s",
    async (...argv) => {
      const { code, stderr } = await guarded.maturity(argv.filter(Boolean), {}, await withScope("score:write"));
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("it needs read or admin") });
    },
  );

  test.each([
    ["app", "list"],
    ["app", "list", "--csv"],
    ["app", "list", "--json"],
  ])("none is refused, and hears where one comes from: %s %s %s", async (...argv) => {
    const { code, stderr, stdout } = await guarded.maturity(argv.filter(Boolean));
    expect({ code, said: stderr + stdout }).toEqual({
      code: 3,
      said: expect.stringContaining("there was none; set MATURITY_TOKEN"),
    });
  });

  test("what is outside of its bounds is refused", async () => {
    const { code, stderr } = await guarded.maturity(["app", "list", "--area", "bank"], {}, await withScope("read"));
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('"shop"') });
  });
});

test.each([["app", "list"], ["app", "list", "--csv"], ["status"]])(
  "a service without lists is said to be older: %s %s %s",
  async (...argv) => {
    const nothing = { statusCode: 404, code: "not-found", message: "there is nothing at /apps" };
    const answer = async () => Response.json(nothing, { status: 404 });
    const { code, stderr } = await service.maturity(argv.filter(Boolean), {}, { fetch: answer });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^maturity: the service has no \/\w+, because it is older/),
    });
  },
);

test.each([
  ["app", "list"],
  ["score", "list", "--csv"],
  ["submit", "-m", "sla", "-r", "availability_pct=1"],
  ["doctor"],
])("the address of the Board is no address of the service: %s", async (...argv) => {
  const { code, stdout, stderr } = await service.maturity([...argv, "--url", `${service.url}/board/`]);
  expect(code).toBe(argv[0] === "doctor" ? 4 : 2);
  expect(stdout + stderr).toContain(`there is no service at ${service.url}/board: the answer has status 404`);
  expect(stdout + stderr).toContain("look whether the path of the address is right");
});
