import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useDirectory, useTree } from "../../../test-support/trees.ts";
import { apiVersion, cart, component, readFiles, readIn, shopCart, system } from "./support/catalogs.ts";

describe("a placeholder", () => {
  test("stands for a text, JSON or YAML of a file", async () => {
    const text = `${apiVersion}\nkind: Component\nmetadata: {$yaml: ./meta.yaml}\nspec: {$json: ./spec.json}\n`;
    const files = {
      "shop/a.yaml": `${system}---\n${text}---\n${component("list", "  owner: {$text: owner.txt}\n  system: web-shop\n")}`,
      "shop/meta.yaml": "name: cart\n",
      "shop/spec.json": '{"owner": "checkout", "system": "web-shop"}',
      "shop/owner.txt": "group:default/checkout\n",
    };
    const { apps, passedOver } = await readFiles(files, { names: ["shop/a.yaml"] });
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
    const { passedOver } = await readIn(cwd, ["a.yaml"], { area: "shop" });
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
    const { apps, passedOver, faults } = await readFiles(files, { names: ["all.yaml", "systems.yaml"] });
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
    const { apps, passedOver } = await readFiles({ "a.yaml": `${location(spec)}---\n${system}---\n${cart}` });
    expect(apps).toEqual([shopCart]);
    expect(passedOver).toEqual([expect.stringContaining(`a.yaml:1 Location all: ${reason}`)]);
  });

  test("outside of the working directory leads no further than its own directory", async () => {
    const elsewhere = await useTree({
      "a.yaml": location("  targets: [./b.yaml, ../c.yaml]\n"),
      "b.yaml": `${system}---\n${cart}`,
    });
    const cwd = await useDirectory();
    const { apps, passedOver } = await readIn(cwd, [join(elsewhere, "a.yaml")], {});
    expect(apps.map(({ entry }) => entry.app)).toEqual(["cart"]);
    expect(passedOver.filter(({ kind }) => !kind).map(({ why }) => why)).toEqual([
      expect.stringContaining('"../c.yaml" leads out of'),
    ]);
  });
});
