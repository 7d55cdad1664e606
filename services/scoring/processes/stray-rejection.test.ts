import { expect, test } from "vitest";
import { useOtherVersion } from "../test/support/other-version.ts";
import { get, post } from "../test/support/own-connection.ts";
import { createDatabase } from "../test/support/service.ts";
import { useServiceProcess } from "../test/support/service-process.ts";

test("a rejected promise that a scorer leaves behind is logged, and ends the service for nobody", async () => {
  const metrics = `metrics: shipped.metrics.map((one) => ({ ...one, score(raw) {
    Promise.reject(new Error("left behind"));
    return one.score(raw);
  } })),`;
  const service = await useServiceProcess(
    { DATABASE_URL: await createDatabase("postgres"), SCORECARDS: "@maturity/reliability" },
    await useOtherVersion("9.0.0", metrics),
  );
  const address = await service.address();
  const score = {
    ...{ area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "reliability", metric: "mttr" },
    raw: { minutes: 60 },
  };
  expect((await post(address, "/score", score)).status).toBe(200);
  expect(await service.logged("a rejected promise was not handled")).toMatchObject({ err: { message: "left behind" } });
  expect(await get(address, "/livez")).toMatch(/^\{"status":"ok"/);
});
