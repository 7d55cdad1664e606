import { createClient } from "@maturity/client";
import { beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../../../services/scoring/src/auth/token.ts";
import { insertToken } from "../../../services/scoring/src/auth/tokens.ts";
import { widthOf } from "../src/asking/table.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const dayMs = 86_400_000;
const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const why = ["--reason", "new staging in spring", "--owner", "ann"];
const ofCart = (area: string) => ["--area", area, "--team", "checkout", "--app", "cart"];

/** The waivers of an area, as the service lists them. */
const stored = (area: string) => createClient({ url: service.url }).waivers({ area, all: true }).toArray();

describe("maturity waive", () => {
  test("waives a metric until a day begins, and says how to end it before", async () => {
    const until = day(40);
    const { code, stdout, stderr } = await service.maturity([
      "waive",
      ...ofCart("one"),
      "-m",
      "dast",
      "--until",
      until,
      ...why,
    ]);
    const [waiver] = await stored("one");
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: "",
      stdout: `waived dast of one / checkout / cart until ${until} 00:00 UTC\nmaturity waivers revoke ${waiver?.id.slice(0, 8)} ends it before\n`,
    });
    expect(waiver).toMatchObject({
      ...{
        kind: "accepted",
        area: "one",
        team: "checkout",
        app: "cart",
        env: null,
        scorecard: "security",
        metric: "dast",
      },
      ...{ reason: "new staging in spring", owner: "ann", expires_at: `${until}T00:00:00.000Z`, created_by: "anybody" },
    });
  });

  test("waives for a time, and tells it as JSON", async () => {
    const before = Date.now();
    const argv = [
      "waive",
      "--area",
      "two",
      "--scorecard",
      "reliability",
      "--for",
      "30d",
      "--env",
      "prod",
      ...why,
      "--json",
    ];
    const { code, stdout } = await service.maturity([...argv, "--team", "checkout", "--app", "cart"]);
    const waiver = JSON.parse(stdout);
    expect({ code, waiver }).toMatchObject({
      code: 0,
      waiver: { scorecard: "reliability", metric: null, env: "prod" },
    });
    const restMs = Date.parse(waiver.expires_at) - before;
    expect(restMs).toBeGreaterThanOrEqual(30 * dayMs);
    expect(restMs).toBeLessThan(31 * dayMs);
    expect(await stored("two")).toEqual([waiver]);
  });

  test("waives what there is nothing to measure of, without an end", async () => {
    const { stdout } = await service.maturity([
      "waive",
      "--area",
      "three",
      "-m",
      "unique_db_user",
      "--not-applicable",
      ...why,
    ]);
    expect(stdout).toContain("waived unique_db_user of three, until it is revoked\n");
    expect(await stored("three")).toMatchObject([
      { kind: "not_applicable", scorecard: "application", expires_at: null },
    ]);
  });

  test("waives the alerts of a kind of problem", async () => {
    const { stdout } = await service.maturity([
      "waive",
      "--area",
      "four",
      "--problem",
      "old_base_image",
      "--for",
      "8w",
      ...why,
    ]);
    expect(stdout).toMatch(/^waived problem old_base_image of four until /);
    expect(await stored("four")).toMatchObject([{ problem_type: "old_base_image", scorecard: null }]);
  });

  test("takes no name from maturity.yaml or the environment, which would make it another waiver", async () => {
    const argv = ["waive", "--area", "five", "-m", "dast", "--for", "1d", ...why];
    await service.maturity(argv, { "maturity.yaml": "team: checkout\napp: cart\nenv: prod\n" });
    expect(await stored("five")).toMatchObject([{ team: null, app: null, env: null }]);
  });

  test.each<[string, string[], string]>([
    ["no area", ["-m", "dast", "--for", "1d"], "give --area"],
    ["an app without its team", ["--area", "a", "--app", "b", "-m", "dast", "--for", "1d"], "--app needs --team"],
    ["an environment of no app", ["--area", "a", "--env", "b", "-m", "dast", "--for", "1d"], "--env needs --app"],
    ["nothing that is waived", ["--area", "a", "--for", "1d"], "give one of --metric, --scorecard and --problem"],
    [
      "two things",
      ["--area", "a", "-m", "dast", "--problem", "x", "--for", "1d"],
      "give one of --metric, --scorecard and --problem",
    ],
    ["a metric that there is not", ["--area", "a", "-m", "dsat", "--for", "1d"], "there is no metric dsat"],
    ["no end", ["--area", "a", "-m", "dast"], "give --until or --for: what is accepted ends"],
    [
      "two ends",
      ["--area", "a", "-m", "dast", "--for", "1d", "--until", "2999-01-01"],
      "give --until or --for, not both",
    ],
    ["an end that is past", ["--area", "a", "-m", "dast", "--until", "2020-01-01"], "--until must be ahead of now"],
    [
      "an end that is none",
      ["--area", "a", "-m", "dast", "--for", "soon"],
      "--for must be a time such as 12h, 30d or 8w",
    ],
    [
      "a name that no report may have",
      ["--area", " a", "-m", "dast", "--for", "1d"],
      "--area must be a text of 1 to 200 characters",
    ],
  ])("refuses %s, and names the option", async (_, argv, message) => {
    const { code, stderr } = await service.maturity(["waive", ...argv, ...why]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`maturity: ${message}`) });
  });

  test.each<[string, string[], string]>([
    ["no reason", ["--owner", "ann"], "give --reason: why it is waived"],
    ["no owner", ["--reason", "x"], "give --owner: who answers for it"],
    ["a reason of two lines", ["--owner", "ann", "--reason", "a\nb"], "--reason must not hold U+000A"],
  ])("refuses %s", async (_, argv, message) => {
    const { code, stderr } = await service.maturity(["waive", "--area", "a", "-m", "dast", "--for", "1d", ...argv]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`maturity: ${message}`) });
  });

  test.each<[string, string[], string]>([
    ["an end too far ahead", ["-m", "dast", "--for", "60w"], "at most 366 days ahead"],
    ["a scorecard that there is not", ["--scorecard", "cost", "--for", "1d"], 'there is no scorecard named "cost"'],
  ])("tells what the service refuses: %s", async (_, argv, message) => {
    const { code, stderr } = await service.maturity(["waive", "--area", "a", ...argv, ...why]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message) });
  });
});

describe("maturity waivers", () => {
  beforeAll(async () => {
    const client = createClient({ url: service.url });
    const make = (of: object, days?: number) =>
      client.waive({
        ...{
          kind: days === undefined ? "not_applicable" : "accepted",
          area: "list",
          reason: "a long reason for it",
          owner: "ann",
        },
        ...(days !== undefined && { expires_at: new Date(Date.now() + days * dayMs + 60_000).toISOString() }),
        ...of,
      });
    await make({ team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "dast" }, 30);
    await make({ team: "checkout", scorecard: "reliability" });
    await make({ problem_type: "old_base_image", owner: "bob" }, 3);
    const { id } = await make({ team: "checkout", scorecard: "security", metric: "sast" }, 5);
    await client.revokeWaiver(id);
  });

  /** The rows of a table without ids, blanks squeezed. */
  const table = async (...argv: string[]) => {
    const { stdout } = await service.maturity(["waivers", "--area", "list", ...argv]);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/ +/g, " ").replace(/^[\da-f]{8} /, ""));
  };

  test("are listed, those that end first at the top", async () => {
    expect(await table()).toEqual([
      " ID ENDS WHAT OF KIND OWNER REASON",
      "in 3 days problem old_base_image list accepted bob a long reason for it",
      "in 30 days dast list / checkout / cart / prod accepted ann a long reason for it",
      "never reliability, all of it list / checkout not applicable ann a long reason for it",
    ]);
  });

  test.each<[string[], string[]]>([
    [["--metric", "dast"], ["dast"]],
    [["--scorecard", "reliability"], ["reliability,"]],
    [["--problem", "old_base_image"], ["problem"]],
    [["--owner", "bob"], ["problem"]],
    [["--kind", "not_applicable"], ["reliability,"]],
    [["--team", "other"], ["problem"]],
    [["--limit", "1"], ["problem"]],
  ])("are narrowed by %j", async (argv, what) => {
    const rows = await table(...argv);
    expect(rows.slice(1).map((row) => row.replace(/^(?:in \d+ days|never) /, "").split(" ")[0])).toEqual(what);
  });

  test("tell with --all who revoked what", async () => {
    expect(await table("--all", "--metric", "sast")).toEqual([
      expect.any(String),
      "revoked 1 minute ago sast list / checkout accepted ann a long reason for it",
    ]);
  });

  test("fit a terminal, with ids that are whole enough to revoke", async () => {
    const { stdout } = await service.maturity(
      ["waivers", "--area", "list"],
      {},
      { isTTY: true, columns: 70, env: { NO_COLOR: "1" } },
    );
    const [, ...lines] = stdout.trimEnd().split("\n");
    for (const line of lines) {
      expect(widthOf(line)).toBeLessThanOrEqual(70);
      expect(line).toMatch(/^[\da-f]{8} {2}/);
    }
  });

  test("are JSON and CSV as the service sends them", async () => {
    const { stdout } = await service.maturity(["waivers", "--area", "list", "--json"]);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).owner),
    ).toEqual(["bob", "ann", "ann"]);
    const csv = await service.maturity(["waivers", "--area", "list", "--csv"]);
    expect(csv.stdout.split("\r\n")[0]).toMatch(/^id,kind,area,team/);
  });

  test("of none says so", async () => {
    expect((await service.maturity(["waivers", "--area", "nobody"])).stdout).toBe("no waivers that the flags leave\n");
  });
});

describe("maturity waivers revoke", () => {
  const make = async (area: string) => {
    const { stdout } = await service.maturity(["waive", "--area", area, "-m", "dast", "--for", "1d", ...why, "--json"]);
    return JSON.parse(stdout).id as string;
  };

  test("ends a waiver by as much of its id as the list shows", async () => {
    const id = await make("revoke");
    const { code, stdout } = await service.maturity(["waivers", "revoke", id.slice(0, 8).toUpperCase()]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "revoked: dast of revoke counts again\n" });
    expect(await stored("revoke")).toMatchObject([{ id, revoked_at: expect.any(String) }]);
  });

  test("takes a whole id without looking for it", async () => {
    const id = await make("whole");
    const asked: string[] = [];
    const fetch = (request: Request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return globalThis.fetch(request);
    };
    expect((await service.maturity(["waivers", "revoke", id], {}, { fetch })).code).toBe(0);
    expect(asked).toEqual([`DELETE /waivers/${id}`]);
  });

  test.each<[string, string[], number, string]>([
    ["no id", [], 2, "missing required argument 'id'"],
    ["what is no id", ["dast"], 2, '"dast" is no id of a waiver'],
    ["an id of nothing", ["00000000"], 2, "no waiver in force has an id that begins with 00000000"],
    ["a whole id of nothing", ["00000000-0000-0000-0000-000000000000"], 3, "there is no waiver with the id"],
  ])("refuses %s", async (_, argv, code, message) => {
    const result = await service.maturity(["waivers", "revoke", ...argv]);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code, stderr: expect.stringContaining(message) });
  });

  test("says which waivers begin alike", async () => {
    const items = ["abcd0000-0000-0000-0000-000000000001", "abcd0000-0000-0000-0000-000000000002"].map((id) => ({
      id,
    }));
    const answer = async () => Response.json({ as_of: new Date().toISOString(), items, next: null, total: 2 });
    const { code, stderr } = await service.maturity(["waivers", "revoke", "abcd"], {}, { fetch: answer });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("several waivers begin with abcd: abcd0000-"),
    });
  });
});

describe("a token that reports", () => {
  const guarded = listeningService({ auth: "token" });

  test("cannot waive, and its owner is told what it lacks", async () => {
    const token = createToken();
    const grant = { name: "ci", scopes: ["score:write"], bounds: { area: "shop" } } as const;
    await insertToken(guarded.database.knex, { ...grant, hash: hashToken(token) });
    const argv = ["waive", "--area", "shop", "-m", "dast", "--for", "1d", ...why];
    const { code, stderr } = await guarded.maturity(argv, {}, { env: { MATURITY_TOKEN: token } });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("waiver:write") });
  });
});
