import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { createEngine } from "@maturity/core";
import { describe, expect, test } from "vitest";
import { loadScorecards } from "../src/commands/serve/scorecards.ts";
import { OperatorError } from "../src/model/errors.ts";
import { useService } from "./support/service.ts";
import { useDirectory } from "./support/service-process.ts";

const defaults = ["@maturity/security", "@maturity/reliability", "@maturity/application"];

/** A scorecard without any dependency: euros → 0 from 1,000 on, by a hand-written Standard Schema. */
const costSource = `
const raw = {
  "~standard": {
    version: 1,
    vendor: "acme",
    validate: (value) =>
      typeof value.euros === "number" ? { value } : { issues: [{ message: "must be a number", path: ["euros"] }] },
  },
};
const score = ({ euros }) => ({
  score: Math.max(0, 100 - euros / 10),
  reasons: [{ field: "euros", value: euros, text: euros + " euros a month" }],
});
export const cost = {
  contract: 1,
  name: "cost",
  dimension: "run",
  weight: 10,
  package: { name: "@acme/cost", version: "1.2.3" },
  metrics: [{ name: "cloud_bill", title: "Monthly bill", weight: 100, raw, score }],
};
`;

/** An installed package: by default one entry point under `exports`, for the condition "import" only. */
async function install(directory: string, name: string, source: string, manifest: object = {}): Promise<void> {
  const path = join(directory, "node_modules", name, "index.js");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, source);
  const fields = { name, version: "1.2.3", type: "module", exports: { ".": { import: "./index.js" } }, ...manifest };
  await writeFile(join(dirname(path), "package.json"), JSON.stringify(fields));
}

/** A scorecard that is a file. */
const docs = `contract: 1
name: docs
version: 1.0.0
dimension: build
weight: 5
metrics:
  - name: dead_links
    title: Links that lead nowhere
    max_age_hours: 24
    inputs: { links: { unit: [dead link, dead links] } }
    curve: { halving: { links: 4 } }
    cases:
      - { raw: { links: 4 }, score: 50 }
`;

/** The message with which loading ends. */
async function refusal(names: readonly string[], directory: string): Promise<string> {
  const error = await loadScorecards(names, directory).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(OperatorError);
  return (error as OperatorError).message;
}

describe("what is loaded", () => {
  test("the packages of this repository are found from an empty directory, in the order of the names", async () => {
    const scorecards = await loadScorecards(defaults, await useDirectory());
    expect(scorecards.map(({ name, package: from }) => `${from.name}: ${name}`)).toEqual([
      "@maturity/security: security",
      "@maturity/reliability: reliability",
      "@maturity/application: application",
    ]);
    expect(createEngine(scorecards).score("security", "secret_scan", { found: true }).score).toBe(0);
  });

  test.each([
    ["the condition import", { exports: { ".": { import: "./index.js" } } }],
    ["the condition default", { exports: { ".": { default: "./index.js" } } }],
    ["a plain path", { exports: "./index.js" }],
    ["main", { exports: undefined, main: "index.js" }],
  ])("a package installed in the directory that names its entry by %s joins and scores", async (_, manifest) => {
    const directory = await useDirectory();
    await install(directory, "@acme/cost", costSource, manifest);
    const engine = createEngine(await loadScorecards(["@maturity/security", "@acme/cost"], directory));
    expect(engine.scorecards.map(({ name }) => name)).toEqual(["security", "cost"]);
    expect(engine.score("cost", "cloud_bill", { euros: 300 })).toMatchObject({
      score: 70,
      scorer: "@acme/cost@1.2.3",
      reasons: [{ field: "euros", value: 300 }],
    });
    expect(() => engine.score("cost", "cloud_bill", { euros: "300" })).toThrow("raw.euros: must be a number");
  });

  test("a package installed in the directory is taken instead of the one the service brings", async () => {
    const directory = await useDirectory();
    const pinned = costSource.replace('"@acme/cost", version: "1.2.3"', '"@maturity/security", version: "0.0.7"');
    await install(directory, "@maturity/security", pinned);
    const [security, reliability] = await loadScorecards(["@maturity/security", "@maturity/reliability"], directory);
    expect(security?.package).toEqual({ name: "@maturity/security", version: "0.0.7" });
    expect(reliability?.name).toBe("reliability");
  });

  test("all scorecards of a package are taken, one under two names once", async () => {
    const directory = await useDirectory();
    const more =
      'export default cost;\nexport const waste = { ...cost, name: "waste" };\nexport const version = "1.2.3";';
    await install(directory, "@acme/cost", `${costSource}\n${more}`);
    const engine = createEngine(await loadScorecards(["@acme/cost"], directory));
    expect(engine.scorecards.map(({ name }) => name)).toEqual(["cost", "waste"]);
  });

  test("a directory with spaces in its name is searched like any other", async () => {
    const directory = join(await useDirectory(), "our own scorecards");
    await install(directory, "@acme/cost", costSource);
    expect(await loadScorecards(["@acme/cost"], directory)).toMatchObject([{ name: "cost" }]);
  });
});

describe("a file", () => {
  test("joins in its place, is found in the directory, and scores", async () => {
    const directory = await useDirectory();
    await writeFile(join(directory, "our docs.yaml"), docs);
    const engine = createEngine(await loadScorecards(["./our docs.yaml", "@maturity/security"], directory));
    expect(engine.scorecards.map(({ name }) => name)).toEqual(["docs", "security"]);
    expect(engine.score("docs", "dead_links", { links: 8 })).toMatchObject({
      score: 25,
      scorer: expect.stringMatching(/^docs@1\.0\.0\+[0-9a-f]{8}$/),
      reasons: [{ field: "links", text: "8 dead links leave 25 % of the score; every 4 of them halve it" }],
    });
  });

  test("that is not in the directory is taken from the working directory, as a package is from the service", async () => {
    const [directory, working] = [await useDirectory(), await useDirectory()];
    const path = relative(process.cwd(), join(working, "docs.yml"));
    await writeFile(join(working, "docs.yml"), docs);
    expect(await loadScorecards([path], directory)).toMatchObject([{ name: "docs" }]);
  });

  test("with faults is refused with all of them and their lines", async () => {
    const directory = await useDirectory();
    await writeFile(
      join(directory, "docs.yaml"),
      docs.replace("weight: 5", "weight: 0").replace("score: 50", "score: 51"),
    );
    expect(await refusal(["@maturity/security", "docs.yaml"], directory)).toBe(
      `the scorecard ${join(directory, "docs.yaml")} cannot be used:
  line 5: weight must be above 0
  line 13: metrics[0].cases[0].score is 51, but it scores 50: 4 dead links leave 50 % of the score; every 4 of them halve it`,
    );
  });

  test("that is missing is named with the reason", async () => {
    expect(await refusal(["no/docs.yaml"], await useDirectory())).toMatch(
      /^the scorecard .*no\/docs\.yaml cannot be read: ENOENT/,
    );
  });

  test("and a package of one name are refused", async () => {
    const directory = await useDirectory();
    await install(directory, "@acme/cost", costSource);
    await writeFile(join(directory, "cost.yaml"), docs.replace("name: docs", "name: cost"));
    const scorecards = await loadScorecards(["@acme/cost", "cost.yaml"], directory);
    expect(() => createEngine(scorecards)).toThrow(/^cost: cost@1\.0\.0\+.* and @acme\/cost@1\.2\.3 both define/);
  });

  test("is described by the service as any other scorecard", async () => {
    const directory = await useDirectory();
    await writeFile(join(directory, "docs.yaml"), docs);
    const engine = createEngine(await loadScorecards(["docs.yaml"], directory));
    const { server } = await useService({ engine });
    const get = async (url: string) => JSON.parse((await server.inject(url)).payload);
    const { items } = await get("/scorecards");
    expect(items).toMatchObject([{ scorecard: "docs", metrics: [{ metric: "dead_links", max_age_hours: 24 }] }]);
    const { components } = await get("/openapi.json");
    expect(components.schemas["raw.docs.dead_links"]).toMatchObject({
      title: "Links that lead nowhere",
      properties: { links: { type: "integer", minimum: 0 } },
    });
  });
});

describe("what is refused, by name and reason", () => {
  test("a package that is not installed, with the command that installs it", async () => {
    const directory = await useDirectory();
    expect(await refusal(["@maturity/security", "@acme/cost"], directory)).toBe(
      `the package @acme/cost is not installed; run npm install @acme/cost in ${directory}`,
    );
  });

  test("a package that needs one which is not installed is not said to be missing itself", async () => {
    const directory = await useDirectory();
    await install(directory, "@acme/cost", `import "@acme/prices";\n${costSource}`);
    const message = await refusal(["@acme/cost"], directory);
    expect(message).toMatch(/^the package @acme\/cost fails to load: .*@acme\/prices/);
    expect(message).not.toContain("is not installed");
  });

  test("a package whose entry is missing, because it was not built, is not said to be missing itself", async () => {
    const directory = await useDirectory();
    await install(directory, "@acme/cost", costSource, { exports: "./dist/index.js" });
    const message = await refusal(["@acme/cost"], directory);
    expect(message).toMatch(/^the package @acme\/cost fails to load: .*dist.index\.js/);
    expect(message).not.toContain("is not installed");
  });

  test.each([
    ["throws when it is imported", 'throw new Error("no prices today");', /no prices today/],
    ["throws something that is no error", 'throw "no prices";', /no prices/],
    ["has a syntax error", "export const cost = {;", /./],
    ["imports a name that is not there", 'import { nothing } from "node:path";', /nothing/],
  ])("a package that %s", async (_, source, reason) => {
    const directory = await useDirectory();
    await install(directory, "@acme/cost", source);
    const message = await refusal(["@acme/cost"], directory);
    expect(message).toMatch(/^the package @acme\/cost fails to load: ./);
    expect(message).toMatch(reason);
  });

  test.each(["", "export const version = 1; export default null;", 'export const cost = "cost";'])(
    "a package that exports no scorecard: %j",
    async (source) => {
      const directory = await useDirectory();
      await install(directory, "@acme/cost", source);
      expect(await refusal(["@acme/cost"], directory)).toBe("the package @acme/cost exports no scorecard");
    },
  );

  test("two packages that define a scorecard of one name", async () => {
    const directory = await useDirectory();
    await install(directory, "@acme/cost", costSource);
    await install(directory, "@other/cost", costSource.replace("@acme/cost", "@other/cost"));
    const scorecards = await loadScorecards(["@acme/cost", "@other/cost"], directory);
    expect(() => createEngine(scorecards)).toThrow(/^cost: .*@other\/cost@1\.2\.3.*@acme\/cost@1\.2\.3/);
  });

  test("a package of a later contract", async () => {
    const directory = await useDirectory();
    await install(directory, "@acme/cost", costSource.replace("contract: 1", "contract: 2"));
    const scorecards = await loadScorecards(["@acme/cost"], directory);
    expect(() => createEngine(scorecards)).toThrow(/^cost: has contract 2.* contract 1/);
  });
});
