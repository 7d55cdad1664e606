import { expect, test } from "vitest";
import { announceCampaigns } from "../src/campaigns/announce.ts";
import { noneWaits } from "./support/alert-rows.ts";
import { campaign, change, dayIn, report } from "./support/campaigns.ts";
import { notifyFile, secretOf, usePeer } from "./support/peers.ts";
import { put } from "./support/requests.ts";
import { createDatabase, shippedEngine, type TestService, until, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const secret = (found: boolean) => ({ "security.secret_scan": { found } });

/** A service with a destination for all facts of campaigns, and one for what belongs to Ann. */
async function useAnnouncing() {
  const [all, ann] = [await usePeer(), await usePeer()];
  const webhook = (url: string) => `{ kind: webhook, url: "${url}", secret_file: secret, allow_private: true }`;
  const notify = await notifyFile(
    `board_url: https://maturity.example.com
destinations: { all: ${webhook(all.url)}, ann: ${webhook(ann.url)} }
routes: [{ owners: [ann], to: [ann], continue: true }, { types: ["campaign.*"], to: [all] }]`,
    { secret: secretOf("one") },
  );
  const service = await useService({ notify });
  const seen = [0, 0];
  /** The events of both destinations since the last call, once none waits. */
  const received = async () => {
    await until(() => noneWaits(service.databaseUrl));
    return [all, ann].map(({ requests }, index) => {
      const events = requests.slice(seen[index]).map(({ body }) => JSON.parse(body));
      seen[index] = requests.length;
      return events;
    });
  };
  return { service, received };
}

function announce({ database, notifications: { facts } }: TestService): Promise<number> {
  const { signal } = new AbortController();
  return announceCampaigns({ database, facts, signal, rules: { scorecards: shippedEngine.scorecards } });
}

/** Lets days pass: all campaigns started and end so much earlier. */
async function passDays({ database: { knex } }: TestService, days: number): Promise<void> {
  await knex.raw(`UPDATE campaigns SET starts = starts - ${days}, due = due - ${days}`);
}

test("a campaign is announced at its start, 14 and 3 days before its last day, and at its end", async () => {
  const { service, received } = await useAnnouncing();
  const { area, team } = cart;
  await put(service, "/registry", {
    apps: [
      { area, team, app: "cart", owner: "ann" },
      { area, team, app: "good", owner: "ann" },
    ],
  });
  await report(service, cart, secret(true));
  await report(service, { ...cart, app: "gift" }, secret(true));
  await report(service, { ...cart, app: "good" }, secret(false));
  expect(await announce(service)).toBe(0);
  const { id } = await campaign(service, { scope: { env: ["prod"] }, due: dayIn(20) });

  const looks = await Promise.all([announce(service), announce(service), announce(service)]);
  expect(looks.sort()).toEqual([0, 0, 1]);
  expect(await announce(service)).toBe(0);
  const started = { type: "maturity.campaign.started", subject: `campaign@${id}` };
  const link = `https://maturity.example.com/board/?view=campaign&campaign=${id}`;
  const data = { name: "No secrets", due: dayIn(20), members: 3, met: 1, left: 2, link };
  const [toAll, toAnn] = await received();
  expect(toAll).toMatchObject([{ ...started, data: { ...data, app: null } }]);
  expect(toAnn).toMatchObject([{ ...started, data: { ...data, app: "cart" } }]);

  const typesAfter = async (days: number) => {
    await passDays(service, days);
    await announce(service);
    return (await received()).map((events) => events?.map(({ type }) => type));
  };
  expect(await typesAfter(5)).toEqual([[], []]);
  expect(await typesAfter(1)).toEqual([["maturity.campaign.due"], ["maturity.campaign.due"]]);
  expect(await typesAfter(10)).toEqual([[], []]);
  await report(service, cart, secret(false)); // Ann has nothing left
  expect(await typesAfter(1)).toEqual([["maturity.campaign.due"], []]);
  await change(service, id, { due: dayIn(2) });
  expect(await typesAfter(0)).toEqual([["maturity.campaign.due"], []]);
  expect(await typesAfter(3)).toEqual([["maturity.campaign.ended"], []]);
  expect(await typesAfter(30)).toEqual([[], []]);
});

test("an end is announced also of a campaign that is archived at once, and of one archived long ago no more", async () => {
  const { service, received } = await useAnnouncing();
  const [running, old] = [await campaign(service, {}), await campaign(service, { name: "old" })];
  for (const { id } of [running, old]) {
    expect(await change(service, id, { state: "ended" })).toMatchObject({ status: 200 });
    expect(await change(service, id, { state: "archived" })).toMatchObject({ status: 200 });
  }
  await service.database.knex.raw("UPDATE campaigns SET archived_at = now() - interval '2 days' WHERE name = 'old'");
  await service.database.knex.raw("UPDATE campaigns SET ended_at = now() - interval '2 days' WHERE name = 'old'");
  const draft = await campaign(service, { name: "draft", starts: dayIn(1), due: dayIn(2) });
  expect(await change(service, draft.id, { state: "archived" })).toMatchObject({ status: 200 });
  expect([await announce(service), await announce(service)]).toEqual([1, 0]);
  const [toAll] = await received();
  expect(toAll?.map(({ type, subject }) => [type, subject])).toEqual([
    ["maturity.campaign.ended", `campaign@${running.id}`],
  ]);
});

test("what came due together is announced as one", async () => {
  const { service, received } = await useAnnouncing();
  await report(service, cart, secret(true));
  const short = await campaign(service, { due: dayIn(2) });
  const byHand = await campaign(service, { name: "ended", due: dayIn(40) });
  await campaign(service, { name: "draft", starts: dayIn(1), due: dayIn(2) });
  expect(await change(service, byHand.id, { state: "ended" })).toMatchObject({ status: 200 });
  expect(await announce(service)).toBe(2);
  const [toAll] = await received();
  expect(toAll?.map(({ type, subject }) => [type, subject]).sort()).toEqual([
    ["maturity.campaign.ended", `campaign@${byHand.id}`],
    ["maturity.campaign.started", `campaign@${short.id}`],
  ]);
});

test("the embedded database notes what is announced, too", async () => {
  const service = await useService({ databaseUrl: await createDatabase("pglite") });
  await report(service, cart, secret(true));
  const { id } = await campaign(service, { due: dayIn(20) });
  expect([await announce(service), await announce(service)]).toEqual([1, 0]);
  await change(service, id, { due: dayIn(10) });
  expect([await announce(service), await announce(service)]).toEqual([1, 0]);
});
