import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../../services/scoring/test/support/service.ts";
import { type Client, createClient, type RegistryEntry } from "../src/index.ts";
import { hangUp, hasty, inTurn, json, listen } from "./support/listener.ts";

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService();
  await service.server.start();
  client = createClient({ url: service.server.info.uri });
});
afterAll(() => service.stop());

describe("the registry", () => {
  const many = (count: number, area: string): RegistryEntry[] =>
    Array.from({ length: count }, (_, index) => ({
      area,
      team: "t",
      app: `app ${index}`,
      labels: { n: String(index) },
    }));

  test("takes more than one request takes, and tells what was new", async () => {
    const apps = many(1_500, "many");
    expect(await client.register(apps)).toEqual({ registered: 1_500, changed: 0, unchanged: 0, moved: [] });
    const changed = apps.map((app, index) => (index === 1_400 ? { ...app, owner: "ann" } : app));
    expect(await client.register(changed)).toEqual({ registered: 0, changed: 1, unchanged: 1_499, moved: [] });
    const listed = await client.registry({ area: "many" }).toArray();
    expect(listed).toHaveLength(1_500);
    expect(listed.find(({ app }) => app === "app 1400")).toMatchObject({ owner: "ann", labels: { n: "1400" } });
  });

  test("tells an error with its place in the whole list, and how many of the first are registered", async () => {
    const apps = many(1_200, "partly").map((app, index) => (index === 1_100 ? { ...app, team: "" } : app));
    await expect(client.register(apps)).rejects.toMatchObject({
      code: "invalid-payload",
      message: expect.stringMatching(/^apps\[1100\]\.team /),
      details: [{ path: "apps[1100].team" }],
      stored: 1_000,
    });
  });

  test("of nothing sends nothing", async () => {
    expect(await client.register([])).toEqual({ registered: 0, changed: 0, unchanged: 0, moved: [] });
  });

  test("is tried again after no answer, since it may be done twice", async () => {
    const registered = json(200, { registered: 1, changed: 0, unchanged: 0, moved: [] });
    const { pauses, createClient } = hasty();
    await createClient({ url: await listen(inTurn(hangUp, registered)) }).register(many(1, "again"));
    expect(pauses).toEqual([250]);
  });
});
