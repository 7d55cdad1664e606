import { createClient } from "@maturity/client";
import { beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../../../services/scoring/src/auth/token.ts";
import { insertToken } from "../../../services/scoring/src/auth/tokens.ts";
import { makeKnown } from "../../../services/scoring/test/support/known-names.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const dayMs = 86_400_000;
const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const why = ["--reason", "new staging in spring", "--owner", "ann"];
const cart = { team: "checkout", app: "cart" };
const ofCart = (area: string) => ["--area", area, "--team", "checkout", "--app", "cart"];

/** The waivers of an area, as the service lists them. */
const stored = (area: string) => createClient({ url: service.url }).waivers({ area, all: true }).toArray();

describe("maturity waiver add", () => {
  beforeAll(async () => {
    const areas = ["one", "two", "three", "four", "five", "a"].map((area) => ({ area }));
    await makeKnown(service, { ...cart, area: "one" }, { ...cart, area: "two" }, ...areas);
  });

  test("waives a metric until a day begins, and says how to end it early", async () => {
    const until = day(40);
    const { code, stdout, stderr } = await service.maturity([
      "waiver",
      "add",
      "--yes",
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
      stdout: `waived dast of one / checkout / cart until ${until} 00:00 UTC\nmaturity waiver revoke ${waiver?.id} ends it early\n`,
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

  test("waives for a time, and shows it as JSON", async () => {
    const before = Date.now();
    const argv = [
      "waiver",
      "add",
      "--yes",
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
      "waiver",
      "add",
      "--yes",
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
      "waiver",
      "add",
      "--yes",
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
    const argv = ["waiver", "add", "--yes", "--area", "five", "-m", "dast", "--for", "1d", ...why];
    await service.maturity(argv, { "maturity.yaml": "team: checkout\napp: cart\nenv: prod\n" });
    expect(await stored("five")).toMatchObject([{ team: null, app: null, env: null }]);
  });

  test("shows that a name is a former one, and waives under the one that counts", async () => {
    const client = createClient({ url: service.url });
    const cart = { area: "moved", team: "checkout", app: "cart" };
    await client.submit({ ...cart, env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } });
    await client.move({ from: cart, to: { ...cart, app: "basket" } });
    const argv = ["waiver", "add", "--yes", ...ofCart("moved"), "--env", "prod", "-m", "dast", "--for", "30d", ...why];
    const { code, stdout, stderr } = await service.maturity(argv);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "note: moved / checkout / cart is called moved / checkout / basket now\n",
    });
    expect(stdout).toMatch(/^waived dast of moved \/ checkout \/ basket \/ prod until /);
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
    const { code, stderr } = await service.maturity(["waiver", "add", "--yes", ...argv, ...why]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`maturity: ${message}`) });
  });

  test.each<[string, string[], string]>([
    ["no reason", ["--owner", "ann"], "give --reason: why it is waived"],
    ["no owner", ["--reason", "x"], "give --owner: the person or team that answers for it"],
    ["a reason of two lines", ["--owner", "ann", "--reason", "a\nb"], "--reason must not hold U+000A"],
  ])("refuses %s", async (_, argv, message) => {
    const { code, stderr } = await service.maturity([
      "waiver",
      "add",
      "--yes",
      "--area",
      "a",
      "-m",
      "dast",
      "--for",
      "1d",
      ...argv,
    ]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`maturity: ${message}`) });
  });

  test.each<[string, string[], string]>([
    ["an end too far ahead", ["-m", "dast", "--for", "60w"], "at most 366 days ahead"],
    ["a scorecard that there is not", ["--scorecard", "cost", "--for", "1d"], 'there is no scorecard named "cost"'],
  ])("prints what the service refuses: %s", async (_, argv, message) => {
    const { code, stderr } = await service.maturity(["waiver", "add", "--yes", "--area", "a", ...argv, ...why]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message) });
  });
});

describe("--dry-run", () => {
  test("says how much it would cover", async () => {
    const client = createClient({ url: service.url });
    for (const app of ["cart", "till"]) {
      const of = { area: "covered", team: "checkout", app, env: "prod" };
      await client.submit({ ...of, scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } });
    }
    const argv = ["--dry-run", "--area", "covered", "-m", "dast", "--for", "1d", ...why];
    const until = /until .*/.source;
    for (const [verb, would] of [
      ["add", "would waive"],
      ["request", "would ask to waive"],
    ] as const) {
      expect(await service.maturity(["waiver", verb, ...argv])).toEqual({
        code: 0,
        stdout: expect.stringMatching(
          new RegExp(
            `^${would} dast of covered ${until}\n  it covers 2 applications and 2 scores now\nnothing is changed`,
          ),
        ),
        stderr: "",
      });
    }
    expect(await stored("covered")).toEqual([]);
  });

  test("looks up at the service whether names and metrics exist", async () => {
    const argv = ["waiver", "add", "--dry-run", "--area", "nowhere", "--for", "1d", ...why];
    expect(await service.maturity([...argv, "-m", "dast"])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /there is no area "nowhere"; there are ("\w+", ){4}"\w+" and \d more; a name is known once /,
      ),
    });
    expect(await service.maturity([...argv.slice(0, 4), "covred", ...argv.slice(5), "-m", "dast"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('there is no area "covred"; did you mean "covered"?'),
    });
    expect(await service.maturity([...argv, "-m", "cost.budget"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('there is no scorecard named "cost"'),
    });
  });
});

describe("a token that reports", () => {
  const guarded = listeningService({ auth: "token" });

  test("cannot waive, and its owner hears what it lacks", async () => {
    const token = createToken();
    const grant = { name: "ci", scopes: ["score:write"], bounds: { area: "shop" } } as const;
    await insertToken(guarded.database.knex, { ...grant, hash: hashToken(token) });
    const argv = ["waiver", "add", "--yes", "--area", "shop", "-m", "dast", "--for", "1d", ...why];
    const { code, stderr } = await guarded.maturity(argv, {}, { env: { MATURITY_TOKEN: token } });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("waiver:write") });
    const dry = await guarded.maturity(
      [...argv.filter((word) => word !== "--yes"), "--dry-run"],
      {},
      { env: { MATURITY_TOKEN: token } },
    );
    expect(dry).toEqual({ code: 3, stdout: "", stderr });
  });
});
