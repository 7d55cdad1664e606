import { afterAll, beforeAll, expect, test } from "vitest";
import { makeKnown } from "../../../services/scoring/test/support/known-names.ts";
import { startService, type TestService } from "../../../services/scoring/test/support/service.ts";
import { type Client, createClient } from "../src/index.ts";
import { hangUp, hasty, inTurn, json, listen } from "./support/listener.ts";

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService();
  await service.server.start();
  client = createClient({ url: service.server.info.uri });
  await makeKnown(service, { area: "waives" }, { area: "audited" });
});
afterAll(() => service.stop());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test("a waiver is made, listed and revoked", async () => {
  const asked = {
    kind: "accepted" as const,
    area: "waives",
    scorecard: "security",
    metric: "dast",
    reason: "r",
    owner: "ann",
  };
  const expires_at = inDays(30);
  const waiver = await client.waive({ ...asked, expires_at });
  expect(waiver).toMatchObject({ ...asked, expires_at, team: null, problem_type: null, revoked_at: null });
  expect(await client.waivers({ area: "waives" }).toArray()).toEqual([waiver]);
  const revoked = await client.revokeWaiver(waiver.id);
  expect(revoked).toMatchObject({ id: waiver.id, revoked_at: expect.any(String) });
  expect(await client.waivers({ area: "waives" }).toArray()).toEqual([]);
  expect(await client.waivers({ area: "waives", all: true }).toArray()).toEqual([revoked]);
  await expect(client.waive(asked)).rejects.toMatchObject({
    code: "invalid-payload",
    details: [{ path: "expires_at" }],
  });
  await expect(client.revokeWaiver(waiver.id.replaceAll(/\w/g, "0"))).rejects.toMatchObject({
    code: "not-found",
    status: 404,
  });
});

test("the audit shows who did it, the newest first", async () => {
  const area = "audited";
  const { id } = await client.waive({ kind: "not_applicable", area, scorecard: "security", reason: "r", owner: "ann" });
  await client.revokeWaiver(id);
  const actions = await client.audit({ area, action: ["waiver.create", "waiver.revoke"] }).toArray();
  expect(actions).toMatchObject([
    { action: "waiver.revoke", actor: "anybody", area, details: { id } },
    { action: "waiver.create", actor: "anybody", area, details: { id } },
  ]);
});

test("a revocation is tried again, since it may be done twice", async () => {
  const { pauses, createClient } = hasty();
  await createClient({ url: await listen(inTurn(hangUp, json(200, { id: "1" }))) }).revokeWaiver("1");
  expect(pauses).toEqual([250]);
});
