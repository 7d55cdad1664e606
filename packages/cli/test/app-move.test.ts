import { createClient, type ScoreRequest } from "@maturity/client";
import { describe, expect, test } from "vitest";
import { insertToken } from "../../../services/scoring/src/auth/tokens.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const client = () => createClient({ url: service.url });

const scoreOf = (area: string, app: string, team = "checkout"): ScoreRequest => ({
  ...{ area, team, app, env: "prod" },
  ...{ scorecard: "security", metric: "secret_scan", raw: { found: false } },
});
const cartOf = (area: string) => ["--area", area, "--team", "checkout", "--app", "cart"];
const appsOf = async (area: string) =>
  (await client().scores({ area, sort: "name" }).toArray()).map(({ team, app }) => `${team}/${app}`);

describe("maturity app move", () => {
  test("prints what it would do, and does it with --yes", async () => {
    await client().submit(scoreOf("one", "cart"));
    const argv = ["app", "move", ...cartOf("one"), "--to-team", "payments"];
    expect(await service.maturity([...argv, "--dry-run"])).toEqual({
      code: 0,
      stderr: "",
      stdout:
        "would move one / checkout / cart to one / payments / cart\n  1 application, 1 score and 0 problems\nnothing is changed (--dry-run)\n",
    });
    expect(await appsOf("one")).toEqual(["checkout/cart"]);
    expect((await service.maturity([...argv, "--yes"])).stdout).toBe(
      "moved one / checkout / cart to one / payments / cart\n  1 application, 1 score and 0 problems\nreports under the old name are stored under the new one\n",
    );
    expect(await appsOf("one")).toEqual(["payments/cart"]);
  });

  test("on a terminal it shows what it would do, asks, and does it after a yes alone", async () => {
    await client().submit(scoreOf("asked", "cart"));
    const argv = ["app", "move", ...cartOf("asked"), "--to-team", "payments"];
    const typed = (stdin: string) =>
      service.maturity(argv, {}, { isTTY: true, stdin: [stdin], env: { NO_COLOR: "1" } });
    const declined = await typed("\n");
    expect(declined.stdout).toMatch(/^would move asked .*\nnothing is changed\n$/s);
    expect(declined.stderr).toContain("Do it? [y/N] ");
    expect(await appsOf("asked")).toEqual(["checkout/cart"]);
    expect((await typed("y\n")).stdout).toMatch(/^would move asked .*\nmoved asked /s);
    expect(await appsOf("asked")).toEqual(["payments/cart"]);
  });

  test.each([
    [["--yes", "--dry-run"], "give --yes or --dry-run, not both"],
    [[], "give --yes to do it, or --dry-run to see what it would do"],
  ])("without a terminal it wants one of its flags: %j", async (flags, message) => {
    const fetch = () => Promise.reject(new Error("the network was used"));
    const argv = ["app", "move", ...cartOf("two"), "--to-team", "x", ...flags];
    const { code, stderr } = await service.maturity(argv, {}, { fetch });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  test("moves a whole team, and names its applications", async () => {
    await client().submitAll([scoreOf("two", "cart"), scoreOf("two", "list")]);
    const { stdout } = await service.maturity([
      "app",
      "move",
      "--area",
      "two",
      "--team",
      "checkout",
      "--to-team",
      "buying",
      "--yes",
    ]);
    expect(stdout).toContain("moved two / checkout to two / buying\n  2 applications, 2 scores and 0 problems\n");
    expect(stdout).toContain("\n  two / checkout / cart\n  two / checkout / list\n");
    expect(await appsOf("two")).toEqual(["buying/cart", "buying/list"]);
  });

  test("onto one that is there is refused, and says that merge does it", async () => {
    await client().submitAll([scoreOf("three", "cart"), scoreOf("three", "basket")]);
    const flags = [...cartOf("three"), "--to-app", "basket"];
    const dry = await service.maturity(["app", "move", ...flags, "--dry-run"]);
    expect(dry).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("maturity app merge moves onto what is there already"),
    });
    expect(dry.stdout).toContain("refused: ");
    expect((await service.maturity(["app", "move", ...flags, "--yes"])).code).toBe(3);
    expect(await appsOf("three")).toEqual(["checkout/basket", "checkout/cart"]);
    expect((await service.maturity(["app", "merge", ...flags, "--dry-run"])).stdout).toContain(
      "would merge three / checkout / cart into three / checkout / basket\n",
    );
    const merged = await service.maturity(["app", "merge", ...flags, "--yes"]);
    expect(merged).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 score and 0 problems stand on both sides; of each the newer one counts\n"),
    });
    expect(await appsOf("three")).toEqual(["checkout/basket"]);
  });

  test("names the tokens that do not come along", async () => {
    await client().submit(scoreOf("six", "cart"));
    const bounds = { area: "six", team: "checkout", app: "cart" };
    const token = { name: "cart pipeline", hash: "ab".repeat(32), scopes: ["score:write"] as const, bounds };
    const id = await insertToken(service.database.knex, token);
    const { stdout } = await service.maturity(["app", "move", ...cartOf("six"), "--to-app", "basket", "--dry-run"]);
    expect(stdout).toContain(
      `  1 token bound to the old name alone, good for reports under it and nothing else:\n    ${id} cart pipeline\n`,
    );
  });

  test("takes no name from maturity.yaml or the environment", async () => {
    const { code, stderr } = await service.maturity(["app", "move", "--to-app", "x"], {
      "maturity.yaml": "app: cart\n",
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("give --area") });
  });

  test.each<[string, string[], string]>([
    ["an app without its team", ["--area", "a", "--app", "b", "--to-app", "c"], "--app needs --team"],
    ["a new team of an area", ["--area", "a", "--to-team", "b"], "--to-team needs --team"],
    ["a new name of a team's app", ["--area", "a", "--team", "b", "--to-app", "c"], "--to-app needs --app"],
    ["nowhere to go", ["--area", "a"], "give --to-area, --to-team or --to-app"],
    ["the same name", ["--area", "a", "--to-area", "a"], "is the same as before"],
    ["a name that no report may have", ["--area", "a", "--to-area", "b "], "--to-area must be a text of 1 to 200"],
  ])("refuses %s, and names the option", async (_, argv, message) => {
    const { code, stderr } = await service.maturity(["app", "move", ...argv]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  test("shows what the service refuses", async () => {
    const { code, stderr } = await service.maturity([
      "app",
      "move",
      "--area",
      "nowhere",
      "--to-area",
      "x",
      "--dry-run",
    ]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("nowhere") });
  });
});

describe("maturity app retire and restore", () => {
  test("take an application out, and bring it back", async () => {
    await client().submit(scoreOf("four", "cart"));
    const retire = ["app", "retire", ...cartOf("four"), "--reason", "switched off"];
    expect((await service.maturity([...retire, "--dry-run"])).stdout).toBe(
      "would retire four / checkout / cart: 1 score and 0 problems are shown no more, and kept\nnothing is changed (--dry-run)\n",
    );
    expect(await appsOf("four")).toEqual(["checkout/cart"]);
    expect((await service.maturity([...retire, "--yes"])).stdout).toMatch(/^retired four \/ checkout \/ cart: /);
    expect(await appsOf("four")).toEqual([]);
    expect((await service.maturity(["app", "list", "--retired", "--area", "four"])).stdout).toMatch(
      /four +checkout +cart +1 minute ago +switched off\n$/,
    );
    const restore = ["app", "restore", ...cartOf("four")];
    expect((await service.maturity([...restore, "--dry-run"])).stdout).toMatch(/^would restore .*\nnothing is changed/);
    expect((await service.maturity([...restore, "--yes", "--json"])).stdout).toContain('"dry_run": false');
    expect(await appsOf("four")).toEqual(["checkout/cart"]);
  });

  test("take one environment out, and bring it back", async () => {
    for (const env of ["prod", "preview"]) await client().submit({ ...scoreOf("seven", "cart"), env });
    const preview = [...cartOf("seven"), "--env", "preview"];
    expect((await service.maturity(["app", "retire", ...preview, "--reason", "merged", "--yes"])).stdout).toBe(
      "retired seven / checkout / cart / preview: 1 score and 0 problems are shown no more, and kept\n",
    );
    expect((await service.maturity(["app", "list", "--retired", "--area", "seven"])).stdout).toMatch(
      /seven +checkout +cart +preview +1 minute ago +merged\n$/,
    );
    const imported = await service.maturity(["app", "import", "a.csv", "--dry-run"], {
      "a.csv": "area,team,app\nseven,checkout,cart\n",
    });
    expect(imported.stdout).not.toContain("is retired");
    expect((await service.maturity(["app", "restore", ...preview, "--yes"])).stdout).toMatch(
      /^restored seven \/ checkout \/ cart \/ preview: 1 score /,
    );
    expect((await service.maturity(["app", "list", "--retired", "--area", "seven"])).stdout).toMatch(/^no retired/);
  });

  test("are passed over by an import, which says so", async () => {
    await client().submit(scoreOf("five", "cart"));
    await service.maturity(["app", "retire", ...cartOf("five"), "--reason", "off", "--yes"]);
    const { stdout } = await service.maturity(["app", "import", "a.csv", "--dry-run"], {
      "a.csv": "area,team,app\nfive,checkout,cart\n",
    });
    expect(stdout).toContain("a.csv:2  cart: five / checkout / cart is retired: maturity app restore brings it back");
  });

  test.each<[string, string[], string]>([
    ["half a name", ["retire", "--area", "a", "--team", "b", "--reason", "c"], "give --app too"],
    ["no reason", ["retire", ...cartOf("a")], "give --reason"],
    ["no name", ["restore"], "give --area and --team and --app too"],
  ])("refuse %s", async (_, argv, message) => {
    const { code, stderr } = await service.maturity(["app", ...argv]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe("maturity app list --former-names", () => {
  test("list former names, and when a report last came under each; an import uses the new one", async () => {
    await client().submit(scoreOf("six", "cart"));
    await service.maturity(["app", "move", ...cartOf("six"), "--to-app", "basket", "--yes"]);
    const row = async () =>
      (await service.maturity(["app", "list", "--former-names"])).stdout
        .split("\n")
        .find((line) => line.startsWith("six"));
    expect(await row()).toMatch(/^six \/ checkout \/ cart +six \/ checkout \/ basket +1 minute ago +never$/);
    await client().submit(scoreOf("six", "cart"));
    expect(await appsOf("six")).toEqual(["checkout/basket"]);
    await expect.poll(row, { timeout: 60_000 }).toMatch(/ 1 minute ago +1 minute ago$/); // noted by and by
    const { stdout, stderr } = await service.maturity(["app", "import", "a.csv", "--yes"], {
      "a.csv": "area,team,app\nsix,checkout,cart\n",
    });
    expect(stdout).toMatch(/^\+ six \/ checkout \/ basket\n/);
    expect(stderr).toContain(
      "a.csv:2: six / checkout / cart has moved to six / checkout / basket, where it is registered",
    );
  });
});
