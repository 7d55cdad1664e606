import { createClient, type Team } from "@maturity/client";
import { beforeAll, expect, test } from "vitest";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const place = { area: "shop", env: "prod", scorecard: "security" } as const;

beforeAll(async () => {
  await createClient({ url: service.url }).submitAll([
    { ...place, team: "checkout", app: "cart", metric: "secret_scan", raw: { found: true } },
    { ...place, team: "checkout", app: "cart", metric: "image_scan", raw: { critical: 1, high: 0, medium: 0 } },
    { ...place, team: "checkout", app: "till", metric: "secret_scan", raw: { found: true } },
    { ...place, team: "search", app: "finder", metric: "secret_scan", raw: { found: false } },
  ]);
});

const team = ["--area", "shop", "--team", "checkout"];

test("a team is shown with what it gains by each metric, in how many applications", async () => {
  const { code, stdout, stderr } = await service.maturity(["team", "show", ...team]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { items } = await createClient({ url: service.url })
    .teams({ area: "shop", team: "checkout", detail: true })
    .page();
  const [secret, image] = (items[0] as Team).gains?.metrics ?? [];
  expect(secret).toMatchObject({ metric: "secret_scan", count: 2 });
  expect(image).toMatchObject({ metric: "image_scan", count: 1 });
  expect(stdout).toContain("shop / checkout / prod");
  expect(stdout).toContain("average of 2 applications, the lowest 0.0");
  expect(stdout).toContain(`secret_scan in 2 applications gains ${secret?.gain.toFixed(1)} points`);
  expect(stdout).toContain(`till ${secret?.apps[0]?.gain.toFixed(1)} points, cart`);
  expect(stdout).toContain(`image_scan in 1 application gains ${image?.gain.toFixed(1)} points`);
});

test("status --team shows the team of this repository, and --team with a name is that of the application", async () => {
  const env = { MATURITY_AREA: "shop", MATURITY_TEAM: "checkout", MATURITY_APP: "cart" };
  const own = await service.maturity(["status", "--team"], {}, { env });
  expect(own.stdout).toBe((await service.maturity(["team", "show", ...team])).stdout);
  const named = await service.maturity(["status", "--team", "checkout"], {}, { env });
  expect(named.stdout).toContain("shop / checkout / cart / prod");
  const empty = await service.maturity(["status", "--team", ""], {}, { env });
  expect(empty.code).toBe(2);
  expect(empty.stderr).toContain("--team is empty");
});

test("an area is shown likewise, with the teams of its applications", async () => {
  const { code, stdout } = await service.maturity(["area", "show", "--area", "shop"]);
  expect(code).toBe(0);
  expect(stdout).toContain("average of 2 teams");
  expect(stdout).toContain("checkout / till");
  const { stdout: json } = await service.maturity(["area", "show", "--area", "shop", "--json"]);
  expect(JSON.parse(json).items[0].gains).toMatchObject({ count: 2 });
});

test("a name that nothing has is shown with the nearest one, and a missing one is asked for", async () => {
  const { code, stdout, stderr } = await service.maturity(["team", "show", "--area", "shop", "--team", "chekout"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "shop / chekout has no score yet\n" });
  expect(stderr).toContain("checkout");
  expect(await service.maturity(["team", "show", "--area", "shop"])).toMatchObject({ code: 2 });
  expect(await service.maturity(["area", "show"])).toMatchObject({ code: 2 });
});
