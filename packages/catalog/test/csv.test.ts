import { describe, expect, test } from "vitest";
import { readFiles } from "./support/catalogs.ts";

describe("CSV", () => {
  test("is a table with a row for each application", async () => {
    const text = 'area,team,app,owner,tier,labels.cost\nshop,checkout,cart,"Doe, Jane",1,a7\n\nshop,checkout,list,,,\n';
    expect((await readFiles({ "apps.csv": text })).apps).toEqual([
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
    expect((await readFiles({ "apps.txt": text })).apps).toEqual([{ area: "shop", team: "checkout", app: "cart" }]);
  });

  test("takes the area of the option where a row has none", async () => {
    const { apps } = await readFiles({ "a.csv": "team,app\ncheckout,cart\n" }, { area: "shop" });
    expect(apps).toEqual([{ area: "shop", team: "checkout", app: "cart" }]);
  });

  test("says of each row that is none why, with its line", async () => {
    const text = 'area,team,app,owner\n,a,b,\nx,,b,\nx,a,,"two\nlines"\nx,a,b,\nx,a,b,\nx,a,\u200b,\nx,a\nx,a,"b\n';
    const { apps, passedOver, faults } = await readFiles({ "a.csv": text });
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
      'there is no column "ownr"; there are area, team, app, owner, repo, tier, and labels.ownr would be a label',
    ],
    ["a column twice", "area,team,app,app\n", 'the column "app" stands there twice'],
    ["no area", "team,app\n", "the column area is missing; add it, or give --area"],
  ])("with %s is refused", async (_, text, fault) => {
    expect((await readFiles({ "a.csv": text })).faults).toEqual([`a.csv:1 the file: a.csv: ${fault}`]);
  });
});
