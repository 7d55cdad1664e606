import { describe, expect, test } from "vitest";
import { useDirectory } from "../../../test-support/trees.ts";
import { apiVersion, cart, component, readFiles, readIn, shopCart, system } from "./support/catalogs.ts";

describe("a component", () => {
  test("is an application of the team that owns it, in the area that is the domain of its system", async () => {
    expect(await readFiles({ "catalog.yaml": `---\n${system}---\n# a comment alone\n---\n${cart}...\n` })).toEqual({
      apps: [shopCart],
      notes: [],
      passedOver: [],
      others: ["catalog.yaml:2 System web-shop: only a Component is an application"],
      faults: [],
    });
  });

  test("finds its system in another file, whichever of the two is named first", async () => {
    expect((await readFiles({ "a.yaml": cart, "b.yaml": system })).apps).toEqual([shopCart]);
    expect((await readFiles({ "a.yaml": system, "b.yaml": cart })).apps).toEqual([shopCart]);
  });

  test.each<[string, string, string]>([
    ["a name", "checkout", "checkout"],
    ["a kind", "group:checkout", "checkout"],
    ["a namespace", "default/checkout", "checkout"],
    ["both", "group:default/checkout", "checkout"],
    ["capitals", "Group:Default/Checkout", "Checkout"],
    ["another namespace", "group:redhat/xe-compass-devs", "xe-compass-devs"],
    ["a user", "user:visitor", "visitor"],
    ["an address of mail", "john@example.com", "john@example.com"],
    ["quotes and blanks", '" group:default/checkout "', "checkout"],
    ["an object", "{kind: Group, namespace: default, name: checkout}", "checkout"],
    ["a number", "1.10", "1.10"],
    ["a word that is a flag elsewhere", "no", "no"],
  ])("has the team of an owner with %s", async (_, owner, team) => {
    const { apps } = await readFiles({ "a.yaml": component("cart", `  owner: ${owner}\n`) }, { area: "shop" });
    expect(apps).toMatchObject([{ area: "shop", team, app: "cart" }]);
  });

  test("has the spelling of the group and the domain, which references may write in other letters", async () => {
    const group = `${apiVersion}\nkind: Group\nmetadata: {name: Checkout}\nspec: {type: team, children: []}\n`;
    const domain = `${apiVersion}\nkind: Domain\nmetadata: {name: Shop}\nspec: {owner: board}\n`;
    const { apps } = await readFiles({ "a.yaml": [group, domain, system, cart].join("---\n") });
    expect(apps).toEqual([{ ...shopCart, area: "Shop", team: "Checkout" }]);
  });

  test("is looked for in its own namespace, unless the reference names one", async () => {
    const metadata = "  namespace: devex\n";
    const there = system.replace("  name: web-shop\n", `  name: web-shop\n${metadata}`).replace("shop\n", "shop\n");
    const files = (ref: string) => ({
      "a.yaml": `${there}---\n${component("cart", `  owner: checkout\n  system: ${ref}\n`, metadata)}`,
    });
    expect((await readFiles(files("web-shop"))).apps).toEqual([shopCart]);
    expect((await readFiles(files("system:devex/web-shop"))).apps).toEqual([shopCart]);
    expect((await readFiles(files("default/web-shop"))).passedOver).toEqual([
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
    const { apps } = await readFiles({
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
    const slug = await readFiles(
      { "a.yaml": component("cart", "  owner: x\n", "  annotations: {gitlab.com/project-slug: acme/cart}\n") },
      { area: "shop" },
    );
    expect(slug.apps).toMatchObject([{ repo: "https://gitlab.com/acme/cart" }]);
  });

  test("goes to --area where its system is missing, and that is said", async () => {
    expect(await readFiles({ "a.yaml": cart }, { area: "other" })).toMatchObject({
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
    const { apps, passedOver, faults } = await readFiles({ "a.yaml": text }, area ? { area } : {});
    expect({ apps, faults, passedOver }).toEqual({
      apps: [],
      faults: [],
      passedOver: [expect.stringContaining(reason)],
    });
  });

  test("a system without a domain", async () => {
    const { passedOver } = await readFiles({ "a.yaml": `${system.replace("  domain: shop\n", "")}---\n${cart}` });
    expect(passedOver).toEqual([
      'a.yaml:8 Component cart: its system "web-shop" has no spec.domain, so its area is not known; give --area',
    ]);
  });

  test("an entity that stands there twice, in whatever letters", async () => {
    const files = { "a.yaml": `${system}---\n${cart}`, "b.yaml": cart.replace("name: cart", "name: Cart") };
    expect(await readFiles(files)).toMatchObject({
      apps: [shopCart],
      passedOver: ["b.yaml:1 Component Cart: component:default/cart stands in a.yaml:9 already"],
    });
  });

  test("the same application of two namespaces", async () => {
    const other = component("cart", "  owner: default/checkout\n  system: default/web-shop\n", "  namespace: b\n");
    expect(await readFiles({ "a.yaml": [system, cart, other].join("---\n") })).toMatchObject({
      apps: [shopCart],
      passedOver: ["a.yaml:18 cart: shop / checkout / cart stands in a.yaml:9 already"],
    });
  });

  test("any other kind", async () => {
    const api = `${apiVersion}\nkind: API\nmetadata: {name: petstore}\nspec: {definition: {$text: https://example.com/petstore.yaml}}\n`;
    expect(await readFiles({ "a.yaml": api })).toMatchObject({
      apps: [],
      passedOver: [],
      others: ["a.yaml:1 API petstore: only a Component is an application"],
    });
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
    const { faults } = await readFiles({ "a.yaml": content }, { area: "shop" });
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  test("a file that is not there", async () => {
    expect((await readFiles({}, { names: ["gone.yaml"] })).faults).toEqual([
      "gone.yaml:1 the file: gone.yaml cannot be read: there is no such file",
    ]);
  });

  test("the other documents of the file are read all the same", async () => {
    const { apps } = await readFiles({ "a.yaml": `${cart}---\nkind: [\n---\n${system}` });
    expect(apps).toEqual([shopCart]);
  });
});

test("standard input is a file like any other", async () => {
  const cwd = await useDirectory();
  const { apps } = await readIn(cwd, ["-"], {}, [`${system}---\n`, cart]);
  expect(apps).toEqual([{ entry: shopCart, file: "standard input", line: 9 }]);
});

test("ten thousand components are read", async () => {
  const many = (count: number) =>
    [system, ...Array.from({ length: count }, (_, n) => cart.replace("cart", `cart-${n}`))].join("---\n");
  const { apps, passedOver } = await readFiles({ "a.yaml": many(10_000) });
  expect({ apps: apps.length, passedOver }).toEqual({ apps: 10_000, passedOver: [] });
});

function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(",")}]`);
  return ["a0: &a0 x", ...lines].join("\n");
}
