import { describe, expect, test } from "vitest";
import { type Bom, type Component, forbidden, withBundled } from "../../../scripts/bom.ts";

const billOf = (name: string, ...components: Component[]): Bom => ({
  metadata: { component: { group: "@maturity", name, version: "1.0.0" } },
  components,
});
const licensed = (...licenses: NonNullable<Component["licenses"]>): Component => ({
  name: "left-pad",
  version: "1.2.3",
  licenses,
});

describe("may be shipped", () => {
  test.each([
    "MIT",
    "(MIT OR GPL-3.0-only)",
    "MPL-2.0 OR Apache-2.0",
    "MIT AND ISC",
    "(MIT AND Zlib)",
    "Apache-2.0 WITH LLVM-exception",
  ])("%s", (expression) => {
    expect(forbidden(billOf("cli", licensed({ expression })))).toEqual([]);
    expect(forbidden(billOf("cli", licensed({ license: { id: expression } })))).toEqual([]);
  });
});

describe("must not be shipped", () => {
  test.each([
    "GPL-3.0-only",
    "AGPL-3.0-or-later",
    "LGPL-2.1",
    "MPL-2.0",
    "MIT AND GPL-2.0-only",
    "GPL-2.0-only OR LGPL-2.1",
    "(MIT OR GPL-2.0-only) AND AGPL-3.0-only",
    "GPL-2.0-only WITH Classpath-exception-2.0",
    "SEE LICENSE IN LICENSE",
    "UNLICENSED",
    "",
  ])("%j", (expression) => {
    const [fault] = forbidden(billOf("cli", licensed({ expression })));
    expect(fault).toContain(
      `@maturity/cli ships left-pad@1.2.3, which has ${expression || "no licence"}; allowed: MIT,`,
    );
    expect(forbidden(billOf("cli", licensed({ license: { name: expression } })))).toHaveLength(1);
  });

  test("what names no licence, and what has a copyleft one beside another", () => {
    expect(forbidden(billOf("cli", { name: "x", version: "1.0.0" }))).toHaveLength(1);
    expect(
      forbidden(billOf("cli", licensed({ license: { id: "MIT" } }, { license: { id: "GPL-3.0-only" } }))),
    ).toHaveLength(1);
  });
});

describe("what is bundled", () => {
  const development = ["preact", "signals", "signals-core", "swagger-ui-dist"].map(
    (name): Component => ({
      ...{ name, version: "1.0.0", scope: "excluded", licenses: [{ license: { id: "GPL-3.0-only" } }] },
      ...(name.startsWith("signals") && { group: "@preact" }),
    }),
  );
  const board = { group: "@maturity", name: "board", version: "1.0.0", licenses: [{ license: { id: "MIT" } }] };

  test("is in the bill of its package, and of those that install it", () => {
    const names = (bom: Bom) => withBundled(bom, development).components.map(({ name, scope }) => [name, scope]);
    const page = ["preact", "signals", "signals-core"].map((name) => [name, "required"]);
    expect(names(billOf("board"))).toEqual(page);
    expect(names(billOf("service", board))).toEqual([["board", undefined], ["swagger-ui-dist", "required"], ...page]);
    expect(names(billOf("cli"))).toEqual([]);
  });

  test("must have a licence, too", () => {
    expect(forbidden(withBundled(billOf("board"), development))).toHaveLength(3);
  });

  test("is described somewhere", () => {
    expect(() => withBundled(billOf("board"), [])).toThrow("preact is bundled, but no package has it");
  });
});
