import { expect, test } from "vitest";
import { recordCampaigns } from "../src/campaigns/record-progress.ts";
import { campaign, itemsOf, read, report, secrets } from "./support/campaigns.ts";
import { put } from "./support/requests.ts";
import { shippedEngine, useService } from "./support/service.ts";

test("what is registered and has reported nothing did not join on the day on which somebody asks", async () => {
  const service = await useService();
  const { database } = service;
  const team = { area: "shop", team: "checkout" };
  await report(service, { ...team, app: "cart", env: "prod" }, { "security.secret_scan": { found: false } });
  await put(service, "/registry", { apps: [{ ...team, app: "silent" }] });
  const { id } = await campaign(service, secrets);
  const { scorecards } = shippedEngine;
  await recordCampaigns({ database, rules: { scorecards, applies: [] }, signal: new AbortController().signal });
  expect(await itemsOf(service, id, "members")).toMatchObject([
    { app: "silent", env: null, joined: null },
    { app: "cart", joined: null },
  ]);
  expect((await read(service, id)).body).toMatchObject({ progress: { members: 2, joined: 0 } });
});
