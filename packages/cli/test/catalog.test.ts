import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { readCatalog } from "../src/catalog/read-catalog.ts";
import type { AppEntry } from "../src/catalog/reading.ts";
import { useDirectory } from "./support/cli.ts";
import { type Files, useTree } from "./support/tree.ts";

const apiVersion = "apiVersion: backstage.io/v1alpha1";
const system = `${apiVersion}\nkind: System\nmetadata:\n  name: web-shop\nspec:\n  owner: checkout\n  domain: shop\n`;
const component = (name: string, spec: string, metadata = "") =>
  `${apiVersion}\nkind: Component\nmetadata:\n  name: ${name}\n${metadata}spec:\n  type: service\n${spec}`;
const cart = component("cart", "  owner: checkout\n  system: web-shop\n");
const shopCart: AppEntry = { area: "shop", team: "checkout", app: "cart", owner: "checkout" };

/** What the files say: applications, and every reason with its place. */
async function read(files: Files, { names = Object.keys(files), area }: { names?: string[]; area?: string } = {}) {
  const cwd = await useTree(files);
  const reading = await readCatalog(names, { area }, { cwd, stdin: Readable.from([]) });
  const told = ({ file, line, what, why }: { file: string; line: number; what: string; why: string }) =>
    `${file}:${line} ${what}: ${why.replaceAll(cwd, "DIR")}`;
  return {
    apps: reading.apps.map(({ entry }) => entry),
    notes: reading.apps.flatMap(({ note }) => note ?? []),
    passedOver: reading.passedOver.filter(({ kind }) => kind === undefined).map(told),
    others: reading.passedOver.filter(({ kind }) => kind !== undefined).map(told),
    faults: reading.faults.map(told),
  };
}

describe("a component", () => {
  test("is an application of the team that owns it, in the area that is the domain of its system", async () => {
    expect(await read({ "catalog.yaml": `---\n${system}---\n# a comment alone\n---\n${cart}...\n` })).toEqual({
      apps: [shopCart],
      notes: [],
      passedOver: [],
      others: ["catalog.yaml:2 System web-shop: only a Component is an application"],
      faults: [],
    });
  });

  test("finds its system in another file, whichever of the two is named first", async () => {
    expect((await read({ "a.yaml": cart, "b.yaml": system })).apps).toEqual([shopCart]);
    expect((await read({ "a.yaml": system, "b.yaml": cart })).apps).toEqual([shopCart]);
  });

  test.each<[string, string, string]>([
    ["a name", "checkout", "checkout"],
    ["a kind", "group:checkout", "checkout"],
    ["a namespace", "default/checkout", "checkout"],
    ["both", "group:default/checkout", "checkout"],
    ["capitals", "Group:Default/Checkout", "Checkout"],
    ["another namespace", "group:redhat/xe-compass-devs", "xe-compass-devs"],
    ["a user", "user:guest", "guest"],
    ["an address of mail", "john@example.com", "john@example.com"],
    ["quotes and blanks", '" group:default/checkout "', "checkout"],
    ["an object", "{kind: Group, namespace: default, name: checkout}", "checkout"],
    ["a number", "1.10", "1.10"],
    ["a word that is a flag elsewhere", "no", "no"],
  ])("has the team of an owner with %s", async (_, owner, team) => {
    const { apps } = await read({ "a.yaml": component("cart", `  owner: ${owner}\n`) }, { area: "shop" });
    expect(apps).toMatchObject([{ area: "shop", team, app: "cart" }]);
  });

  test("has the spelling of the group and the domain, which references may write in other letters", async () => {
    const group = `${apiVersion}\nkind: Group\nmetadata: {name: Checkout}\nspec: {type: team, children: []}\n`;
    const domain = `${apiVersion}\nkind: Domain\nmetadata: {name: Shop}\nspec: {owner: board}\n`;
    const { apps } = await read({ "a.yaml": [group, domain, system, cart].join("---\n") });
    expect(apps).toEqual([{ ...shopCart, area: "Shop", team: "Checkout" }]);
  });

  test("is looked for in its own namespace, unless the reference names one", async () => {
    const metadata = "  namespace: devex\n";
    const there = system.replace("  name: web-shop\n", `  name: web-shop\n${metadata}`).replace("shop\n", "shop\n");
    const files = (ref: string) => ({
      "a.yaml": `${there}---\n${component("cart", `  owner: checkout\n  system: ${ref}\n`, metadata)}`,
    });
    expect((await read(files("web-shop"))).apps).toEqual([shopCart]);
    expect((await read(files("system:devex/web-shop"))).apps).toEqual([shopCart]);
    expect((await read(files("default/web-shop"))).passedOver).toEqual([
      'a.yaml:10 Component cart: its system "web-shop" is not in the files, so its area is not known; give --area',
    ]);
  });

  test("brings its repository, its tier and its labels", async () => {
    const metadata = [
      "  labels: {tier: '1', example.com/cost: a7}",
      "  annotations:",
      "    github.com/project-slug: acme/cart",
      "    backstage.io/source-location: url:https://git.example.com/acme/cart/tree/main/",
      "",
    ].join("\n");
    const { apps } = await read({
      "a.yaml": `${system}---\n${component("cart", "  owner: checkout\n  system: web-shop\n", metadata)}`,
    });
    expect(apps).toEqual([
      {
        ...shopCart,
        repo: "https://git.example.com/acme/cart",
        tier: "1",
        labels: { tier: "1", "example.com/cost": "a7" },
      },
    ]);
    const slug = await read(
      { "a.yaml": component("cart", "  owner: x\n", "  annotations: {gitlab.com/project-slug: acme/cart}\n") },
      { area: "shop" },
    );
    expect(slug.apps).toMatchObject([{ repo: "https://gitlab.com/acme/cart" }]);
  });

  test("goes to --area where its system is missing, and that is told", async () => {
    expect(await read({ "a.yaml": cart }, { area: "other" })).toMatchObject({
      apps: [{ ...shopCart, area: "other" }],
      notes: ['its system "web-shop" is not in the files, so --area counts'],
    });
  });
});

describe("is passed over, and says why:", () => {
  test.each<[string, string, string]>([
    [
      "no owner",
      component("cart", "  system: web-shop\n"),
      "Component cart: spec.owner is missing, so its team is not known",
    ],
    [
      "an empty owner",
      component("cart", '  owner: ""\n'),
      "Component cart: spec.owner is missing, so its team is not known",
    ],
    [
      "an owner that is none",
      component("cart", "  owner: a/b/c\n"),
      'Component cart: spec.owner is "a/b/c", but must be a reference such as group:default/checkout',
    ],
    [
      "a list of owners",
      component("cart", "  owner: [a, b]\n"),
      "Component cart: spec.owner must be a reference such as group:default/checkout",
    ],
    [
      "no system",
      component("cart", "  owner: a\n"),
      "Component cart: it has no spec.system, so its area is not known; give --area",
    ],
    [
      "an empty system",
      component("cart", "  owner: a\n  system:\n"),
      "Component cart: it has no spec.system, so its area is not known; give --area",
    ],
    ["no kind", `${apiVersion}\nkind: ""\nmetadata:\n  name: cart\n`, "cart: kind is missing"],
    ["no name", `${apiVersion}\nkind: Component\nmetadata: {title: Cart}\n`, "Component: metadata.name is missing"],
    ["no metadata", `${apiVersion}\nkind: Component\n`, "Component: metadata.name is missing"],
    [
      "another program's kind",
      "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nmetadata: {name: x}\n",
      'Component x: its apiVersion is "kustomize.config.k8s.io/v1alpha1", and Backstage\'s begins with backstage.io/',
    ],
    [
      "no entity at all",
      "- a\n- b\n",
      "a document: an entity of Backstage is a mapping with apiVersion, kind, metadata and spec",
    ],
    ["a text", "hello\n", "a document: an entity of Backstage is a mapping with apiVersion, kind, metadata and spec"],
    [
      "the name of a template",
      component("${{ values.name }}", "  owner: a\n"),
      'Component ${{ values.name }}: its name is a placeholder of a template: "${{ values.name }}"',
    ],
    [
      "the name of another template",
      component("{{ cookiecutter.name }}", "  owner: a\n"),
      "Component: metadata.name must be a text",
    ],
    [
      "a name that no report may have",
      component('"a\\u200Bb"', "  owner: a\n"),
      'Component a\u200bb: its app "a\u200bb" must not hold U+200B',
    ],
    [
      "labels that are none",
      component("cart", "  owner: a\n", "  labels: [a]\n"),
      "Component cart: metadata.labels must be a mapping of texts",
    ],
    [
      "a label that is none",
      component("cart", "  owner: a\n", "  labels: {a: {b: c}}\n"),
      "Component cart: metadata.labels.a must be a text",
    ],
  ])("%s", async (_, text, reason) => {
    const area = text.includes("labels") || text.includes("u200B") ? "shop" : undefined;
    const { apps, passedOver, faults } = await read({ "a.yaml": text }, area ? { area } : {});
    expect({ apps, faults, passedOver }).toEqual({
      apps: [],
      faults: [],
      passedOver: [expect.stringContaining(reason)],
    });
  });

  test("a system without a domain", async () => {
    const { passedOver } = await read({ "a.yaml": `${system.replace("  domain: shop\n", "")}---\n${cart}` });
    expect(passedOver).toEqual([
      'a.yaml:8 Component cart: its system "web-shop" has no spec.domain, so its area is not known; give --area',
    ]);
  });

  test("an entity that stands there twice, in whatever letters", async () => {
    const files = { "a.yaml": `${system}---\n${cart}`, "b.yaml": cart.replace("name: cart", "name: Cart") };
    expect(await read(files)).toMatchObject({
      apps: [shopCart],
      passedOver: ["b.yaml:1 Component Cart: component:default/cart stands in a.yaml:9 already"],
    });
  });

  test("the same application of two namespaces", async () => {
    const other = component("cart", "  owner: default/checkout\n  system: default/web-shop\n", "  namespace: b\n");
    expect(await read({ "a.yaml": [system, cart, other].join("---\n") })).toMatchObject({
      apps: [shopCart],
      passedOver: ["a.yaml:18 cart: shop / checkout / cart stands in a.yaml:9 already"],
    });
  });

  test("any other kind", async () => {
    const api = `${apiVersion}\nkind: API\nmetadata: {name: petstore}\nspec: {definition: {$text: https://example.com/petstore.yaml}}\n`;
    expect(await read({ "a.yaml": api })).toMatchObject({
      apps: [],
      passedOver: [],
      others: ["a.yaml:1 API petstore: only a Component is an application"],
    });
  });
});

describe("a placeholder", () => {
  test("stands for a text, JSON or YAML of a file", async () => {
    const text = `${apiVersion}\nkind: Component\nmetadata: {$yaml: ./meta.yaml}\nspec: {$json: ./spec.json}\n`;
    const files = {
      "shop/a.yaml": `${system}---\n${text}---\n${component("list", "  owner: {$text: owner.txt}\n  system: web-shop\n")}`,
      "shop/meta.yaml": "name: cart\n",
      "shop/spec.json": '{"owner": "checkout", "system": "web-shop"}',
      "shop/owner.txt": "group:default/checkout\n",
    };
    const { apps, passedOver } = await read(files, { names: ["shop/a.yaml"] });
    expect(passedOver).toEqual([]);
    expect(apps).toMatchObject([{ ...shopCart }, { team: "checkout", app: "list" }]);
  });

  test.each<[string, string, string]>([
    [
      "an address",
      "{$text: 'https://example.com/owner'}",
      '"https://example.com/owner" is an address, and only files are read: fetch it, and name the file',
    ],
    ["a missing file", "{$text: ./gone}", '"./gone" cannot be read: there is no such file'],
    ["a file above", "{$text: ../../etc/passwd}", '"../../etc/passwd" leads out of DIR: name that file too'],
    ["an absolute path", "{$text: /etc/passwd}", '"/etc/passwd" leads out of DIR: name that file too'],
    ["a link that leads out", "{$text: out/passwd}", '"out/passwd" leads out of DIR: name that file too'],
    ["another word", "{$openapi: ./x}", "$openapi is none of $text, $json and $yaml"],
    ["no file name", "{$text: [a]}", "$text must name a file"],
    ["what is not YAML", "{$yaml: ./bad}", '"./bad":2 is not valid YAML: '],
    ["a directory", "{$text: ./sub}", "sub cannot be read: it is a directory"],
    ["bytes", "{$text: ./bytes}", "bytes is not UTF-8; save it as UTF-8"],
  ])("of %s is no reason to fail", async (_, owner, reason) => {
    const cwd = await useTree({
      "a.yaml": component("cart", `  owner: ${owner}\n`),
      bad: "a: 1\nb: c: d\n",
      "sub/x": "",
      bytes: new Uint8Array([0xff, 0xfe, 0x61]),
    });
    await symlink("/etc", join(cwd, "out"));
    const { passedOver } = await readCatalog(["a.yaml"], { area: "shop" }, { cwd, stdin: Readable.from([]) });
    expect(passedOver.map(({ why }) => why.replaceAll(cwd, "DIR"))).toEqual([
      expect.stringContaining(`spec.owner is a placeholder, and ${reason}`),
    ]);
  });
});

describe("a Location", () => {
  const location = (spec: string) => `${apiVersion}\nkind: Location\nmetadata:\n  name: all\nspec:\n${spec}`;

  test("leads to files, patterns and Locations, each read once", async () => {
    const files = {
      "all.yaml": location("  targets:\n    - ./systems.yaml\n    - teams/*/catalog-info.yaml\n    - ./all.yaml\n"),
      "systems.yaml": system,
      "teams/checkout/catalog-info.yaml": location("  type: file\n  target: ./cart.yaml\n"),
      "teams/checkout/cart.yaml": `${cart}---\n${location("  target: ../../all.yaml\n").replace("name: all", "name: back")}`,
      "teams/other/catalog-info.yaml": component("list", "  owner: checkout\n  system: web-shop\n"),
    };
    const { apps, passedOver, faults } = await read(files, { names: ["all.yaml", "systems.yaml"] });
    expect(apps.map(({ app }) => app).sort()).toEqual(["cart", "list"]);
    expect({ passedOver, faults }).toEqual({
      passedOver: [
        "teams/checkout/catalog-info.yaml:1 Location all: location:default/all stands in all.yaml:1 already",
      ],
      faults: [],
    });
  });

  test.each<[string, string, string]>([
    [
      "an address",
      "  type: url\n  target: https://github.com/acme/cart/blob/main/catalog-info.yaml\n",
      '"https://github.com/acme/cart/blob/main/catalog-info.yaml" is an address',
    ],
    ["a missing file", "  targets: [./gone.yaml]\n", '"./gone.yaml" cannot be read: there is no such file'],
    ["a pattern without a file", "  targets: ['./*/none.yaml']\n", "no file matches ./*/none.yaml"],
    [
      "a file above",
      "  target: ../other/catalog-info.yaml\n",
      '"../other/catalog-info.yaml" leads out of DIR: name that file too',
    ],
    ["a pattern above", "  target: ../**/*.yaml\n", '"../**/*.yaml" leads out of DIR: name that file too'],
    ["the whole machine", "  target: /**\n", '"/**" leads out of DIR: name that file too'],
    ["a pattern that climbs", "  target: ./*/../../**\n", '"./*/../../**" is no pattern that is read here'],
    ["a pattern of choices", "  target: '{/etc,.}/*'\n", '"{/etc,.}/*" is no pattern that is read here'],
    ["nothing", "  type: url\n", "it has no spec.target and no spec.targets"],
    ["a mapping", "  targets: [{a: b}]\n", "a target must be a text"],
  ])("to %s says so, and the rest is read", async (_, spec, reason) => {
    const { apps, passedOver } = await read({ "a.yaml": `${location(spec)}---\n${system}---\n${cart}` });
    expect(apps).toEqual([shopCart]);
    expect(passedOver).toEqual([expect.stringContaining(`a.yaml:1 Location all: ${reason}`)]);
  });

  test("outside of the working directory leads no further than its own directory", async () => {
    const elsewhere = await useTree({
      "a.yaml": location("  targets: [./b.yaml, ../c.yaml]\n"),
      "b.yaml": `${system}---\n${cart}`,
    });
    const cwd = await useDirectory();
    const { apps, passedOver } = await readCatalog([join(elsewhere, "a.yaml")], {}, { cwd, stdin: Readable.from([]) });
    expect(apps.map(({ entry }) => entry.app)).toEqual(["cart"]);
    expect(passedOver.filter(({ kind }) => !kind).map(({ why }) => why)).toEqual([
      expect.stringContaining('"../c.yaml" leads out of'),
    ]);
  });
});

describe("a fault names the file and its line:", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["YAML that is none", `${cart}---\nkind: [\n---\n${system}`, "a.yaml:11 a document: not valid YAML: "],
    ["a key twice", "kind: a\nkind: b\n", "a.yaml:2 a document: not valid YAML: the key kind stands there twice"],
    ["a placeholder of a template where no text can be", "kind: {% if x %}\n", "a.yaml:1 a document: not valid YAML: "],
    ["a bomb of aliases", bomb(), "a.yaml:1 a document: not valid YAML: Excessive alias count"],
    ["what holds itself", "a: &a\n  b: *a\n", "a.yaml:1 a document: not valid YAML: a value must not hold itself"],
    ["brackets without end", "[".repeat(50_000), "a.yaml:1 a document: not valid YAML: it is nested too deep"],
    [
      "bytes that are no text",
      new Uint8Array([0x61, 0xff]),
      "a.yaml:1 the file: a.yaml is not UTF-8; save it as UTF-8",
    ],
    [
      "UTF-16",
      new Uint8Array(Buffer.from("\ufeffkind: a\n", "utf16le")),
      "a.yaml:1 the file: a.yaml is not UTF-8; save it as UTF-8",
    ],
    ["a file without end", "#".repeat(8 * 1_048_576 + 1), "a.yaml:1 the file: a.yaml is larger than 8 MiB"],
  ])("%s", async (_, content, fault) => {
    const { faults } = await read({ "a.yaml": content }, { area: "shop" });
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  test("a file that is not there", async () => {
    expect((await read({}, { names: ["gone.yaml"] })).faults).toEqual([
      "gone.yaml:1 the file: gone.yaml cannot be read: there is no such file",
    ]);
  });

  test("the other documents of the file are read all the same", async () => {
    const { apps } = await read({ "a.yaml": `${cart}---\nkind: [\n---\n${system}` });
    expect(apps).toEqual([shopCart]);
  });
});

describe("CSV", () => {
  test("is a table with a row for each application", async () => {
    const text = 'area,team,app,owner,tier,labels.cost\nshop,checkout,cart,"Doe, Jane",1,a7\n\nshop,checkout,list,,,\n';
    expect((await read({ "apps.csv": text })).apps).toEqual([
      { area: "shop", team: "checkout", app: "cart", owner: "Doe, Jane", tier: "1", labels: { cost: "a7" } },
      { area: "shop", team: "checkout", app: "list" },
    ]);
  });

  test.each<[string, string]>([
    ["semicolons", "area;team;app\nshop;checkout;cart\n"],
    ["tabs", "area\tteam\tapp\nshop\tcheckout\tcart\n"],
    ["a byte order mark and Windows line ends", "\ufeffarea,team,app\r\nshop,checkout,cart\r\n"],
    ["capitals, quotes and blanks", '"Area", "Team" ,App\nshop, checkout ,cart\n'],
    ["no last line end", "area,team,app\nshop,checkout,cart"],
  ])("with %s", async (_, text) => {
    expect((await read({ "apps.txt": text })).apps).toEqual([{ area: "shop", team: "checkout", app: "cart" }]);
  });

  test("takes the area of the option where a row has none", async () => {
    const { apps } = await read({ "a.csv": "team,app\ncheckout,cart\n" }, { area: "shop" });
    expect(apps).toEqual([{ area: "shop", team: "checkout", app: "cart" }]);
  });

  test("says of each row that is none why, with its line", async () => {
    const text = 'area,team,app,owner\n,a,b,\nx,,b,\nx,a,,"two\nlines"\nx,a,b,\nx,a,b,\nx,a,\u200b,\nx,a\nx,a,"b\n';
    const { apps, passedOver, faults } = await read({ "a.csv": text });
    expect(apps).toEqual([{ area: "x", team: "a", app: "b" }]);
    expect(passedOver).toEqual([
      "a.csv:2 b: it has no area; fill it in, or give --area",
      "a.csv:3 b: it has no team",
      "a.csv:4 a row: it has no app",
      expect.stringContaining('a.csv:8 \u200b: its app "\u200b" must not hold U+200B'),
      "a.csv:7 b: x / a / b stands in a.csv:6 already",
    ]);
    expect(faults).toEqual([
      "a.csv:9 a row: it has 2 cells, and the first row 4",
      expect.stringContaining("a.csv:10 b"),
    ]);
  });

  test.each<[string, string, string]>([
    [
      "an unknown column",
      "area,team,app,ownr\n",
      'there is no column "ownr"; there are area, team, app, owner, repo, tier, and labels.ownr would be a label; did you mean owner?',
    ],
    ["a column twice", "area,team,app,app\n", 'the column "app" stands there twice'],
    ["no area", "team,app\n", "the column area is missing; add it, or give --area"],
  ])("with %s is refused", async (_, text, fault) => {
    expect((await read({ "a.csv": text })).faults).toEqual([`a.csv:1 the file: a.csv: ${fault}`]);
  });
});

test("standard input is a file like any other", async () => {
  const cwd = await useDirectory();
  const stdin = Readable.from([Buffer.from(`${system}---\n`), Buffer.from(cart)]);
  const { apps } = await readCatalog(["-"], {}, { cwd, stdin });
  expect(apps).toEqual([{ entry: shopCart, file: "standard input", line: 9 }]);
});

test("ten thousand components are read", async () => {
  const many = (count: number) =>
    [system, ...Array.from({ length: count }, (_, n) => cart.replace("cart", `cart-${n}`))].join("---\n");
  const { apps, passedOver } = await read({ "a.yaml": many(10_000) });
  expect({ apps: apps.length, passedOver }).toEqual({ apps: 10_000, passedOver: [] });
});

function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(",")}]`);
  return ["a0: &a0 x", ...lines].join("\n");
}
