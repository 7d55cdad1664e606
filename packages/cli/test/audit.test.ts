import { createClient } from "@maturity/client";
import { beforeAll, describe, expect, test } from "vitest";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const cart = { area: "shop", team: "checkout", app: "cart" };

beforeAll(async () => {
  const client = createClient({ url: service.url });
  await client.register([{ ...cart, owner: "ann" }]);
  await client.move({ from: cart, to: { ...cart, app: "basket" } });
  const waiver = {
    kind: "not_applicable",
    scorecard: "security",
    metric: "dast",
    reason: "a\u202elibrary",
    owner: "ann",
  };
  await service.database.knex.raw(
    "INSERT INTO audit (at, actor, action, area, details) VALUES (now() - interval '40 days', 'office', 'waiver.create', 'old', ?)",
    [JSON.stringify(waiver)],
  );
  await client.waive({
    kind: "not_applicable",
    area: "shop",
    scorecard: "security",
    reason: "a library",
    owner: "ann",
  });
});

/** The rows of the table, blanks squeezed and times left out. */
async function table(...argv: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await service.maturity(["audit", "list", ...argv]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const rows = stdout.trimEnd().split("\n");
  return rows.map((row) => row.replace(/ +/g, " ").replace(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC /, ""));
}

const waived = "anybody waived security for shop: a library";
const moved = "anybody moved shop/checkout/cart to shop/checkout/basket";
const registered = "anybody registered shop/checkout/cart";
const old = "office waived security.dast for old: a\\u{202e}library";

describe("maturity audit list", () => {
  test("shows who did what, the newest first", async () => {
    const [titles, ...rows] = await table();
    expect(titles?.trim()).toBe("WHEN WHO WHAT");
    expect(rows).toEqual([waived, old, moved, registered]); // as they were recorded
  });

  test.each<[string[], string[]]>([
    [
      ["--action", "waiver.create"],
      [waived, old],
    ],
    [
      ["--action", "app.move", "--action", "app.register"],
      [moved, registered],
    ],
    [["--kind", "move"], [moved]],
    [["--actor", "office"], [old]],
    [["--area", "old"], [old]],
    [
      ["--app", "cart"], // waivers of a whole area cover it
      [waived, old, moved, registered],
    ],
    [["--since", "30d", "--action", "waiver.create"], [waived]],
    [["--until", "30d"], [old]],
  ])("narrows by %j", async (argv, expected) => {
    const [, ...rows] = await table(...argv);
    expect(rows).toEqual(expected);
  });

  test("prints JSON and CSV as the service sends them", async () => {
    const { stdout } = await service.maturity(["audit", "list", "--actor", "office", "--ndjson"]);
    expect(JSON.parse(stdout)).toMatchObject({ actor: "office", action: "waiver.create", details: { metric: "dast" } });
    expect((await service.maturity(["audit", "list", "--csv"])).stdout).toMatch(/^at,actor,action,area/);
  });

  test.each<[string[], number, string]>([
    [["--action", "waive"], 3, "action must be one of"],
    [["--since", "soon"], 3, "since"],
    [["--limit", "0"], 2, "--limit must be a whole number"],
  ])("refuses %j", async (argv, code, message) => {
    const result = await service.maturity(["audit", "list", ...argv]);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code, stderr: expect.stringContaining(message) });
  });

  test("of none says so", async () => {
    expect((await service.maturity(["audit", "list", "--actor", "nobody"])).stdout).toBe(
      "no actions match the flags\n",
    );
  });
});
