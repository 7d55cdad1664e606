import { createClient } from "@maturity/client";
import { beforeAll, expect, test } from "vitest";
import { listeningService } from "./support/listening-service.ts";
import { pinnedEngine } from "./support/pinned-engine.ts";

const service = listeningService({ engine: pinnedEngine });
const place = { area: "shop", env: "prod", scorecard: "security" } as const;

beforeAll(async () => {
  await createClient({ url: service.url }).submitAll([
    { ...place, team: "checkout", app: "cart", metric: "secret_scan", raw: { found: true } },
    { ...place, team: "checkout", app: "cart", metric: "image_scan", raw: { critical: 1, high: 0, medium: 0 } },
    { ...place, team: "search", app: "finder", metric: "secret_scan", raw: { found: false } },
  ]);
});

async function rows(...argv: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await service.maturity(argv);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout
    .trimEnd()
    .split("\n")
    .map((row) => row.trim().replace(/ +/g, " "));
}

test("metrics are listed by what they cost", async () => {
  // The score of cart is the mean of both metrics, and the organisation that of cart and finder.
  expect(await rows("metric", "list", "--metric", "secret_scan", "--metric", "image_scan")).toEqual([
    "ENV METRIC AVERAGE MOST SCORE COSTS REPORTED WAIVERS",
    "prod secret_scan 50.0 10.0 to 90.0 25.0 100 % 0",
    "prod image_scan 50.0 50.0 to 50.0 12.5 50 % 0",
  ]);
  const [, ...others] = await rows("metric", "list", "--scorecard", "security", "--sort", "name", "--env", "prod");
  expect(others.map((row) => row.split(" ")[1])).toEqual(["image_scan", "secret_scan", "sast", "dast"]);
  expect(others.at(-1)).toBe("prod dast - - 0.0 0 % 0");
  expect(await service.maturity(["metric", "list", "--env", "dev"])).toMatchObject({
    stdout: "nothing was reported\n",
  });
});

test("teams are listed by each metric, in a table, as CSV and as JSON", async () => {
  const [head, first] = await rows("team", "list", "--metrics");
  expect(head).toContain("AREA TEAM ENV SCORE IMAGE_SCAN SECRET_SCAN");
  expect(first).toContain("shop checkout prod 25.0 50.0 0.0");
  const [titles = ""] = await rows("team", "list", "--metrics", "--csv");
  expect(titles.split(",")).toEqual(expect.arrayContaining(["team", "security.image_scan", "reliability.mttd"]));
  const { items } = JSON.parse((await rows("team", "list", "--metrics", "--json")).join("\n"));
  expect(items[0].metrics[0]).toMatchObject({ metric: "image_scan", score: 50, count: 1, reported: 1 });
});
