import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createWriteLimit } from "../src/auth/write-limit.ts";
import { startOpenIdProvider } from "./support/openid-provider.ts";
import { people, type SigningService, startSigningService } from "./support/sign-in.ts";

describe("a change by a session", () => {
  let service: SigningService;
  let cookie: string;
  let changes = 0;
  let onChange: () => Promise<void> = async () => {};
  beforeAll(async () => {
    const provider = await startOpenIdProvider({ people });
    service = await startSigningService(provider);
    service.server.route({
      ...{ method: ["POST", "DELETE", "PATCH"], path: "/change" },
      options: { auth: { strategy: "session", access: { scope: ["waiver:request"] } }, payload: { parse: false } },
      handler: async () => {
        await onChange();
        return { changes: ++changes };
      },
    });
    cookie = `__Host-maturity_session=${(await service.sessionFor("1")).cookie}`;
    return async () => {
      await service.stop();
      await provider.stop();
    };
  });

  const send = (headers: Readonly<Record<string, string>>, method: "POST" | "DELETE" | "PATCH" = "POST") =>
    service.server.inject({ method, url: "/change", headers: { cookie, host: "maturity.internal", ...headers } });

  const board = { "x-maturity-board": "1" };

  test.each(["POST", "DELETE", "PATCH"] as const)("by the Board is made, with %s", async (method) => {
    expect((await send({ ...board, origin: "http://maturity.internal" }, method)).statusCode).toBe(200);
    expect((await send({ ...board, "sec-fetch-site": "same-origin" }, method)).statusCode).toBe(200);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["a form of this origin", { "sec-fetch-site": "same-origin", "content-type": "text/plain" }],
    [
      "a form on another origin",
      { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
    ],
    ["a form on another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["a page of a neighbouring host", { ...board, "sec-fetch-site": "same-site", origin: "https://evil.acme.example" }],
    ["a fetch with no-cors", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
    ["a page without an origin", { ...board, origin: "null" }],
    ["an address that was typed", { ...board, "sec-fetch-site": "none" }],
    ["another port of the host", { ...board, origin: "http://maturity.internal:81" }],
    ["another value of the header", { "x-maturity-board": "true", origin: "http://maturity.internal" }],
    ["nothing but the cookie", {}],
  ])("by %s is refused", async (_, headers) => {
    const before = changes;
    const response = await send(headers);
    expect([response.statusCode, JSON.parse(response.payload).code]).toEqual([403, "forbidden"]);
    expect(changes).toBe(before);
  });

  test("by so many others of one person within a minute is refused, with a time to come back", async () => {
    const own = { ...board, origin: "http://maturity.internal" };
    const bobs = `maturity_session=${(await service.sessionFor("4", { groups: ["security"] })).cookie}`;
    const busy = {
      ...own,
      cookie: `maturity_session=${(await service.sessionFor("5", { groups: ["security"] })).cookie}`,
    };
    const answers = await Promise.all(Array.from({ length: 301 }, () => send(busy)));
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused).toHaveLength(1);
    const [{ statusCode, payload, headers } = {}] = refused;
    expect([statusCode, JSON.parse(payload ?? "{}").code]).toEqual([429, "too-many-changes"]);
    expect(Number(headers?.["retry-after"])).toBeGreaterThan(0);
    expect((await send({ ...own, cookie: bobs })).statusCode).toBe(200);
    const reading = await service.server.inject({ url: "/whoami", headers: { cookie: busy.cookie } });
    expect(reading.statusCode).toBe(200);
  });

  test("with a token needs none of that", async () => {
    const { statusCode, payload } = await send({ authorization: "Bearer x" });
    expect([statusCode, JSON.parse(payload).message]).toEqual([401, "the token is unknown, expired or revoked"]);
  });

  test("by somebody whom a rule forbids it is refused", async () => {
    const { cookie } = await service.sessionFor("2");
    expect((await send({ ...board, cookie: `maturity_session=${cookie}` })).statusCode).toBe(403);
  });

  test("that was let in before the session was revoked ends, and the next is refused", async () => {
    const session = await service.sessionFor("1");
    const own = { ...board, cookie: `maturity_session=${session.cookie}` };
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    onChange = () => {
      reached.resolve();
      return released.promise;
    };
    onTestFinished(() => {
      onChange = async () => {};
    });
    const underWay = send(own);
    await reached.promise;
    await service.database.knex.raw("DELETE FROM sessions WHERE name = 'ann@acme.example'");
    const next = await send(own);
    released.resolve();
    expect([(await underWay).statusCode, next.statusCode]).toEqual([200, 401]);
  });
});

test("a person may make so many changes within a minute, whatever others do", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = createWriteLimit(3);
  for (const caller of ["ann", "ann", "bob", "ann", "bob"]) limit(caller);
  const refusal = { code: "too-many-changes", message: expect.stringContaining("3 changes within a minute") };
  expect(() => limit("ann")).toThrow(expect.objectContaining(refusal));
  limit("bob");
  vi.advanceTimersByTime(60_000);
  limit("ann");
});
