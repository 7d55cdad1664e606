import { expect, test } from "vitest";
import { readPage } from "./support/reading.ts";
import { post } from "./support/requests.ts";
import { useService } from "./support/service.ts";
import { waive } from "./support/waivers.ts";

interface Item {
  readonly scorecards: readonly { readonly scorecard: string }[];
  readonly unscored_scorecards: readonly object[];
}

test("a scorecard without a score shows how much of it is waived, whoever has it", async () => {
  const service = await useService();
  const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
  const pay = { ...cart, app: "pay" };
  const other = { ...cart, team: "search" };
  const dast = { scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };
  for (const place of [cart, pay, other]) await post(service, "/score", { ...place, ...dast });
  await waive(service, { area: "shop", team: "checkout", scorecard: "reliability" });
  await waive(service, { area: "shop", team: "checkout", app: "pay", scorecard: "application" });
  await waive(service, { area: "shop", team: "checkout", app: "pay", scorecard: "security", metric: "sast" });
  const shares = async (path: string, query = {}) =>
    (await readPage<Item>(service, path, { sort: "name", ...query })).items.map(
      ({ unscored_scorecards }) => unscored_scorecards,
    );
  const whole = (scorecard: string, waived = 1) => ({ scorecard, waived, exempt: 0 });
  const [reliability, application] = [whole("reliability"), whole("application")];
  for (const detail of ["false", "true"]) {
    expect(await shares("/apps", { detail })).toEqual([[reliability], [reliability, application], []]);
  }
  expect(await shares("/teams")).toEqual([[reliability, whole("application", 0.5)], []]);
  expect(await shares("/areas")).toEqual([[whole("reliability", 0.5), whole("application", 0.25)]]);
  const { payload } = await service.server.inject({ url: "/apps?app=pay", headers: { accept: "text/csv" } });
  const [head = [], row = []] = payload.split("\r\n").map((line) => line.split(","));
  const cell = (column: string) => row[head.indexOf(column)];
  expect([cell("reliability_score"), cell("reliability_waived"), cell("security_score")]).toEqual(["", "1", "100"]);
});

test("an application of which all is waived shows it of each scorecard", async () => {
  const service = await useService();
  const cart = { area: "shop", team: "checkout", app: "cart" };
  const result = { scorecard: "security", metric: "dast" };
  await post(service, "/score", { ...cart, env: "prod", ...result, raw: { high: 0, medium: 0 } });
  await waive(service, { ...cart, ...result });
  const { items } = await readPage<Item>(service, "/apps");
  expect(items).toMatchObject([{ scorecards: [], unscored_scorecards: [{ scorecard: "security", waived: 0.25 }] }]);
});
