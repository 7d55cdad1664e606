import { application } from "@maturity/application";
import { createEngine } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { imageScan, security } from "@maturity/security";
import { expect, test } from "vitest";
import { readPage } from "./support/reading.ts";
import { useService } from "./support/service.ts";

test("a metric that a scorecard adds is taken, described, shown and scraped, with no line changed elsewhere", async () => {
  const words = { description: "How much is shipped.", help: "https://wiki.example.com/images", deprecated: "dast" };
  const metrics = [...security.metrics, { ...imageScan, ...words, name: "image_size" }];
  const engine = createEngine([{ ...security, metrics }, reliability, application]);
  const { server } = await useService({ engine });
  const get = async (url: string) => (await server.inject(url)).payload;
  const key = { area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "image_size" };
  expect(JSON.parse(await get("/openapi.json")).components.schemas).toHaveProperty(["raw.security.image_size"]);
  const payload = { ...key, raw: { critical: 0, high: 0, medium: 0 } };
  expect(await server.inject({ method: "POST", url: "/score", payload })).toMatchObject({ statusCode: 200 });
  expect(await readPage({ server }, "/scores", { metric: "security.image_size" })).toMatchObject({
    items: [{ ...key }],
  });
  const { items: registered } = await readPage<{ metrics: object[] }>({ server }, "/scorecards");
  expect(registered[0]?.metrics.at(-1)).toMatchObject({ metric: "image_size", ...words });
  expect(registered[0]?.metrics[0]).toMatchObject({ description: null, help: null, deprecated: null });
  const { items } = await readPage<{ metrics: object[] }>({ server }, "/apps", { detail: "true" });
  expect(items[0]?.metrics).toContainEqual(expect.objectContaining({ metric: "image_size", state: "fresh" }));
  expect(await readPage({ server }, "/apps", { missing: "security.image_size" })).toMatchObject({ total: 0 });
  expect(await get("/metrics?collect[]=weights")).toContain(
    'metric_weight{scorecard="security",metric="image_size"} 25',
  );
  expect(await get("/metrics?collect[]=scores")).toContain('metric="image_size"} 100');
});
