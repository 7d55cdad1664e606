import { createClient } from "@maturity/client";
import { describe, expect, test } from "vitest";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const ruled = listeningService({
  applies: [{ scorecard: "security", metric: "image_scan", unless: { labels: { kind: ["library"] } } }],
});

const entity = (kind: string, name: string, spec: string) =>
  `apiVersion: backstage.io/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${spec}\n`;

/** A catalog of an area, so that each test has its own. */
const catalog = (area: string, ...components: string[]) =>
  [entity("System", "web-shop", `{owner: checkout, domain: ${area}}`), ...components].join("---\n");

const component = (name: string, owner = "checkout") =>
  entity("Component", name, `{type: service, owner: ${owner}, system: web-shop}`);

/** What the service has registered in an area. */
const registered = (area: string) => createClient({ url: service.url }).registry({ area }).toArray();

const importing = (text: string, ...flags: string[]) =>
  service.maturity(["app", "import", "catalog.yaml", ...flags], { "catalog.yaml": text });

describe("maturity app import", () => {
  test("prints what it would register, and why it passes something over; --yes registers it", async () => {
    const text = catalog(
      "one",
      component("cart"),
      component("list", '""'),
      entity("API", "petstore", "{owner: checkout}"),
    );
    const plan = [
      "+ one / checkout / cart",
      "Passed over",
      "  catalog.yaml:11  Component list: spec.owner is missing, so its team is not known",
      "No applications: 1 API, 1 System",
    ];
    expect(await importing(text, "--dry-run")).toEqual({
      code: 0,
      stderr: "",
      stdout: `${[...plan, "1 new, 0 changed, 0 unchanged", "nothing is changed (--dry-run)"].join("\n")}\n`,
    });
    expect(await registered("one")).toEqual([]);
    const { stdout } = await importing(text, "--yes");
    expect(stdout).toBe(`${[...plan, "1 new, 0 changed, 0 unchanged; registered"].join("\n")}\n`);
    expect(await registered("one")).toMatchObject([{ area: "one", team: "checkout", app: "cart", owner: "checkout" }]);
  });

  test("shows old and new facts, what stays, and what the files lack", async () => {
    await importing(catalog("two", component("cart"), component("list"), component("fax")), "--yes");
    const next = catalog("two", component("cart", "group:default/checkout"), component("list"));
    const { stdout } = await importing(next, "--dry-run");
    expect(stdout).toBe(
      `${[
        "~ two / checkout / cart",
        "    owner: checkout -> group:default/checkout",
        "Registered, but not in the files",
        "  two / checkout / fax",
        "No applications: 1 System",
        "0 new, 1 changed, 1 unchanged",
        "nothing is changed (--dry-run)",
      ].join("\n")}\n`,
    );
    await importing(next, "--yes");
    expect((await registered("two")).map(({ app, owner }) => [app, owner])).toEqual([
      ["cart", "group:default/checkout"],
      ["fax", "checkout"],
      ["list", "checkout"],
    ]);
    expect((await importing(next, "--yes")).stdout).toMatch(/\n0 new, 0 changed, 2 unchanged\n$/);
  });

  test("proposes to move what has the name of one that the files lack", async () => {
    await importing(catalog("three", component("cart")), "--yes");
    const { stderr } = await importing(catalog("three", component("cart", "payments")), "--dry-run");
    expect(stderr).toContain("maturity app move --area three --team checkout --app cart --to-team payments");
  });

  test("takes a table, several files and patterns", async () => {
    const files = {
      "a/apps.csv": "team,app,tier\nops,cron,2\n",
      "b/catalog-info.yaml": catalog("four", component("cart")),
    };
    const argv = ["app", "import", "a/apps.csv", "*/catalog-info.yaml", "--area", "four", "--yes"];
    expect((await service.maturity(argv, files)).code).toBe(0);
    expect((await registered("four")).map(({ team, app, tier }) => [team, app, tier])).toEqual([
      ["checkout", "cart", null],
      ["ops", "cron", "2"],
    ]);
  });

  test("registers nothing where a file cannot be read, and says in which line", async () => {
    const files = { "a.yaml": catalog("five", component("cart")), "b.yaml": "kind: a\nkind: b\n" };
    const argv = ["app", "import", "a.yaml", "b.yaml", "gone.yaml", "--yes"];
    const { code, stderr, stdout } = await service.maturity(argv, files);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: [
        "maturity: nothing was sent:",
        "  - b.yaml:2: not valid YAML: the key kind stands there twice",
        "  - gone.yaml cannot be read: there is no such file",
        "",
      ].join("\n"),
    });
    expect(await registered("five")).toEqual([]);
    const found = await service.maturity([...argv, "--keep-going"], files);
    expect(found).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("1 new, 0 changed, 0 unchanged; registered"),
    });
    expect(await registered("five")).toMatchObject([{ app: "cart" }]);
  });

  test("is one object as JSON", async () => {
    const { stdout } = await importing(
      catalog("six", component("cart"), component("list", '""')),
      "--json",
      "--dry-run",
    );
    expect(JSON.parse(stdout)).toEqual({
      applied: false,
      new: [{ area: "six", team: "checkout", app: "cart", owner: "checkout" }],
      changed: [],
      unchanged: [],
      not_in_files: [],
      passed_over: [
        { file: "catalog.yaml", line: 6, what: "System web-shop", why: "only a Component is an application" },
        {
          file: "catalog.yaml",
          line: 11,
          what: "Component list",
          why: "spec.owner is missing, so its team is not known",
        },
      ].map((one) => expect.objectContaining({ file: one.file, what: one.what, why: one.why })),
      notes: [],
      effect: { rescored: 0, lose_level: 0, exempted: 0, apps: [] },
    });
  });

  test("shows what the service refuses with its place in the file", async () => {
    const { code, stderr } = await service.maturity(["app", "import", "a.csv", "--yes"], {
      "a.csv": `area,team,app,owner\nseven,t,a,ann\nseven,t,b,${"x".repeat(201)}\n`,
    });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("a.csv:3 owner must be") });
  });

  test("shows no character of a file that moves the cursor", async () => {
    const { stdout, stderr } = await importing(component('"\\e[2J\\u202e"'), "--area", "eight", "--dry-run");
    for (const text of [stdout, stderr])
      for (const character of ["\u001b", "\u202e"]) expect(text).not.toContain(character);
    expect(stdout).toContain("\\u{1b}[2J\\u{202e}");
  });

  test.each<[string, string[], string]>([
    ["no file", [], "missing required argument 'files'"],
    ["a pattern that matches nothing", ["*.yml"], "no file matches *.yml"],
    [
      "an area that no report may have",
      ["catalog.yaml", "--area", " a"],
      "--area must be a text of 1 to 200 characters",
    ],
  ])("refuses %s", async (_, argv, message) => {
    const { code, stderr } = await service.maturity(["app", "import", "--dry-run", ...argv]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe("maturity app list --registered", () => {
  test("lists what is registered, with the facts that any of it has", async () => {
    const area = ["--area", "nine"];
    const files = { "a.csv": "area,team,app,owner,tier\nnine,t,b,ann,\nnine,t,a,,1\n" };
    await service.maturity(["app", "import", "a.csv", "--yes"], files);
    const { stdout } = await service.maturity(["app", "list", "--registered", ...area]);
    expect(stdout).toBe(
      [
        "AREA  TEAM  APP  OWNER  TIER  REGISTERED",
        "nine  t     a           1     1 minute ago",
        "nine  t     b    ann          1 minute ago",
        "",
      ].join("\n"),
    );
    expect((await service.maturity(["app", "list", "--registered", ...area, "--app", "b", "--json"])).stdout).toContain(
      '"owner": "ann"',
    );
    expect((await service.maturity(["app", "list", "--registered", ...area, "--csv"])).stdout).toMatch(
      /^area,team,app,owner,/,
    );
    expect((await service.maturity(["app", "list", ...area, "--retired"])).stdout).toBe(
      "no retired applications match the flags\n",
    );
  });
});

describe("maturity app register", () => {
  const facts = ["--owner", "ann", "--tier", "1", "--label", "kind=service"];
  const app = ["app", "register", "--area", "alone", "--team", "checkout", "--app", "cart"];

  test("registers an application, and shows what it changes", async () => {
    expect((await service.maturity([...app, ...facts, "--yes"])).stdout).toBe(
      "+ alone / checkout / cart\n1 new, 0 changed, 0 unchanged; registered\n",
    );
    const shown = async (...argv: string[]) => (await service.maturity([...app, ...argv, "--dry-run"])).stdout;
    const end = "0 new, 1 changed, 0 unchanged\nnothing is changed (--dry-run)\n";
    expect(await shown("--owner", "bob")).toBe(`~ alone / checkout / cart\n    owner: ann -> bob\n${end}`);
    expect(await shown("--label", "cost=a7")).toBe(`~ alone / checkout / cart\n    labels.cost: none -> a7\n${end}`);
    expect(await shown("--owner", "ann", "--replace")).toBe(
      `~ alone / checkout / cart\n    tier: 1 -> none\n    labels.kind: service -> none\n${end}`,
    );
    expect(await registered("alone")).toMatchObject([{ owner: "ann", tier: "1", labels: { kind: "service" } }]);
    await service.maturity([...app, "--label", "cost=a7", "--yes"]);
    const whole = { owner: "ann", tier: "1", labels: { kind: "service", cost: "a7" } };
    expect(await registered("alone")).toMatchObject([whole]);
    await service.maturity([...app, "--label", "kind=job", "--replace", "--yes"]);
    expect(await registered("alone")).toMatchObject([{ owner: null, tier: null, labels: { kind: "job" } }]);
  });

  test("shows whose scores and exemptions new labels move, before it is done and where it is", async () => {
    const name = { area: "ruled", team: "checkout", app: "cart" };
    const client = createClient({ url: ruled.url });
    const result = { ...name, env: "prod", scorecard: "security" } as const;
    await client.submit({ ...result, metric: "image_scan", raw: { critical: 1, high: 0, medium: 0 } });
    await client.submit({ ...result, metric: "secret_scan", raw: { found: false } });
    const argv = [
      "app",
      "register",
      "--area",
      "ruled",
      "--team",
      "checkout",
      "--app",
      "cart",
      "--label",
      "kind=library",
    ];
    const effect = [
      "By the rules of the policy 1 get another score, 0 lose a level, 1 begin or cease to be exempt",
      "  ruled / checkout / cart / prod: 75.00 -> 100.00; exempt from security.image_scan",
    ];
    const dry = await ruled.maturity([...argv, "--dry-run"]);
    expect(dry.stdout.split("\n")).toEqual(expect.arrayContaining(effect));
    expect(await client.registry({ area: "ruled" }).toArray()).toEqual([]);
    const json = JSON.parse((await ruled.maturity([...argv, "--yes", "--json"])).stdout);
    expect(json).toMatchObject({ applied: true, effect: { rescored: 1, exempted: 1 } });
  });

  test.each<[string[], string]>([
    [["--label", "kind"], "--label must be a name and a value"],
    [["--owner", "x".repeat(201)], "--owner must be a text of 1 to 200"],
  ])("refuses %j", async (argv, message) => {
    const { code, stderr } = await service.maturity([...app, ...argv, "--yes"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});
