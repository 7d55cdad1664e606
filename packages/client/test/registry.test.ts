import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../../services/scoring/test/support/service.ts";
import { type Client, createClient, type RegistryEntry } from "../src/index.ts";
import { hangUp, hasty, inTurn, json, listen } from "./support/listener.ts";
import { imageScan, target } from "./support/reports.ts";

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService();
  await service.server.start();
  client = createClient({ url: service.server.info.uri });
});
afterAll(() => service.stop());

const { env: _, ...cart } = target;

/** Of applications without scores, nothing moves. */
const effect = { apps: [], exempted: 0, lose_level: 0, rescored: 0 };

describe("the registry", () => {
  const many = (count: number, area: string): RegistryEntry[] =>
    Array.from({ length: count }, (_, index) => ({
      area,
      team: "t",
      app: `app ${index}`,
      labels: { n: String(index) },
    }));

  test("takes more than one request takes, and shows what was new", async () => {
    const apps = many(1_500, "many");
    expect(await client.register(apps)).toEqual({ registered: 1_500, changed: 0, unchanged: 0, moved: [], effect });
    const changed = apps.map((app, index) => (index === 1_400 ? { ...app, owner: "ann" } : app));
    expect(await client.register(changed)).toEqual({ registered: 0, changed: 1, unchanged: 1_499, moved: [], effect });
    const listed = await client.registry({ area: "many" }).toArray();
    expect(listed).toHaveLength(1_500);
    expect(listed.find(({ app }) => app === "app 1400")).toMatchObject({ owner: "ann", labels: { n: "1400" } });
  });

  test("shows an error with its place in the whole list, and how many of the first are registered", async () => {
    const apps = many(1_200, "partly").map((app, index) => (index === 1_100 ? { ...app, team: "" } : app));
    await expect(client.register(apps)).rejects.toMatchObject({
      code: "invalid-payload",
      message: expect.stringMatching(/^apps\[1100\]\.team /),
      details: [{ path: "apps[1100].team" }],
      stored: 1_000,
    });
  });

  test("of nothing sends nothing", async () => {
    expect(await client.register([])).toEqual({ registered: 0, changed: 0, unchanged: 0, moved: [], effect });
  });

  test("is tried again after no answer, since it may be done twice", async () => {
    const registered = json(200, { registered: 1, changed: 0, unchanged: 0, moved: [] });
    const { pauses, createClient } = hasty();
    await createClient({ url: await listen(inTurn(hangUp, registered)) }).register(many(1, "again"));
    expect(pauses).toEqual([250]);
  });
});

test("an application moves, after a dry run, and its old name is listed as a former name", async () => {
  await client.submit({ ...imageScan, area: "moves" });
  const move = { from: { ...cart, area: "moves" }, to: { ...cart, area: "moves", app: "basket" } };
  expect(await client.move({ ...move, dry_run: true })).toMatchObject({
    dry_run: true,
    apps: 1,
    scores: 1,
    conflicts: [],
  });
  expect(await client.scores({ area: "moves" }).toArray()).toMatchObject([{ app: "cart" }]);
  expect(await client.move(move)).toMatchObject({ dry_run: false, apps: 1 });
  expect(await client.scores({ area: "moves" }).toArray()).toMatchObject([{ app: "basket" }]);
  expect(await client.formerNames().toArray()).toMatchObject([
    { ...cart, area: "moves", moved_to: move.to, used_at: null },
  ]);
  expect(await client.register([move.from])).toMatchObject({
    registered: 1,
    moved: [{ ...move.from, moved_to: move.to }],
  });
});

test("an application is retired and restored", async () => {
  const name = { ...cart, area: "retires" };
  await client.submit({ ...imageScan, area: "retires" });
  expect(await client.retire({ ...name, reason: "switched off", dry_run: true })).toMatchObject({
    dry_run: true,
    scores: 1,
  });
  expect(await client.retire({ ...name, reason: "switched off" })).toMatchObject({
    ...name,
    dry_run: false,
    scores: 1,
  });
  expect(await client.registry({ area: "retires", retired: true }).toArray()).toMatchObject([
    { ...name, reason: "switched off" },
  ]);
  await expect(client.submit({ ...imageScan, area: "retires" })).rejects.toMatchObject({
    code: "app-retired",
    status: 409,
  });
  expect(await client.restore(name)).toMatchObject({ dry_run: false, scores: 1 });
  expect(await client.scores({ area: "retires" }).toArray()).toHaveLength(1);
});
