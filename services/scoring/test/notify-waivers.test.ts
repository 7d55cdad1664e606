import { expect, test } from "vitest";
import { announceEnding } from "../src/waivers/announce-ending.ts";
import { noneWaits } from "./support/alert-rows.ts";
import { makeKnown } from "./support/known-names.ts";
import { isSigned, notifyFile, secretOf, usePeer } from "./support/peers.ts";
import { post } from "./support/requests.ts";
import { type TestService, until, useService } from "./support/service.ts";
import { inDays, waive } from "./support/waivers.ts";

async function useAnnounced() {
  const { url, requests } = await usePeer();
  const notify = await notifyFile(
    `destinations: { peer: { kind: webhook, url: "${url}", secret_file: secret, allow_private: true } }
routes: [{ types: ["waiver.*"], to: [peer] }]`,
    { secret: secretOf("one") },
  );
  const service = await useService({ notify });
  await makeKnown(service, scope);
  /** The type and the state of each fact that was announced, once all are. */
  const announced = async () => {
    await until(() => noneWaits(service.databaseUrl));
    expect(requests.every((request) => isSigned(request, secretOf("one")))).toBe(true);
    return requests.map(({ body }) => JSON.parse(body));
  };
  return { service, announced };
}

const scope = { area: "shop", team: "checkout", app: "cart", scorecard: "security", metric: "sast" };

const ask = (service: TestService, rest: object = {}) =>
  post(service, "/waivers", {
    ...{ ...scope, kind: "accepted", reason: "known", owner: "ann", expires_at: inDays(30), state: "requested" },
    ...rest,
  });

test("a waiver that is asked for and decided is announced in this order, with its reason", async () => {
  const { service, announced } = await useAnnounced();
  const asked = await ask(service);
  expect(asked).toMatchObject({ status: 201 });
  expect(await ask(service, { owner: "" })).toMatchObject({ status: 400 });
  const { id } = asked.body as { id: string };
  expect(await post(service, `/waivers/${id}/withdraw`, { comment: "not needed" })).toMatchObject({ status: 200 });
  expect(await post(service, `/waivers/${id}/withdraw`, {})).toMatchObject({ status: 409 });
  expect(await announced()).toMatchObject([
    {
      type: "maturity.waiver.requested",
      subject: `waiver@${id}`,
      data: { ...scope, reason: "known", state: "requested" },
    },
    { type: "maturity.waiver.decided", subject: `waiver@${id}`, data: { state: "withdrawn", comment: "not needed" } },
  ]);
});

test("a waiver that ends soon is announced once, whichever instance looks", async () => {
  const { service, announced } = await useAnnounced();
  const { database, notifications } = service;
  const show = () => announceEnding(database, notifications.facts);
  await waive(service, { ...scope, expires_at: inDays(13) });
  await waive(service, { ...scope, metric: "dast", expires_at: inDays(20) });
  expect(await Promise.all([show(), show(), show()])).toEqual(expect.arrayContaining([1, 0, 0]));
  expect(await show()).toBe(0);
  // As six days and a half later.
  await database.knex.raw("UPDATE waivers SET expires_at = now() + interval '13 days 18 hours' WHERE metric = 'dast'");
  await database.knex.raw("UPDATE waivers_announced_until SET ends_at = now() + interval '13 days 12 hours'");
  expect([await show(), await show()]).toEqual([1, 0]);
  expect((await announced()).map(({ type, data }) => [type, data.metric])).toEqual([
    ["maturity.waiver.ending", "sast"],
    ["maturity.waiver.ending", "dast"],
  ]);
});
