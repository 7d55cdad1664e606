import { describe, expect, test } from "vitest";
import { readableLog } from "./support/log.ts";
import { until, useService } from "./support/service.ts";

describe("the log", () => {
  const useLogged = async () => {
    const log = readableLog();
    const service = await useService({ auth: "token", logger: log.logger, trustedProxies: ["10.0.0.0/8"] });
    const ask = (remoteAddress: string, forwardedFor?: string, authorization = "Bearer foo") =>
      service.server.inject({
        ...{ url: "/metrics", remoteAddress },
        headers: { authorization, ...(forwardedFor !== undefined && { "x-forwarded-for": forwardedFor }) },
      });
    const refused = () => log.from(30).filter(({ msg }) => msg === "unauthorized");
    return { log, ask, refused };
  };

  test("has one line for the first refusal of an address, and none of the token", async () => {
    const { log, ask, refused } = await useLogged();
    for (const from of ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.1"]) await ask(from);
    expect(refused()).toMatchObject([
      {
        from: "192.0.2.1",
        count: 1,
        method: "get",
        path: "/metrics",
        reason: "the token is unknown, expired or revoked",
      },
      { from: "192.0.2.2", count: 1 },
    ]);
    expect(log.lines.join("")).not.toMatch(/foo|\b401\b/);
  });

  test("names whom a trusted proxy talks to, and believes nobody else", async () => {
    const { ask, refused } = await useLogged();
    await ask("10.0.0.7", "198.51.100.1, 192.0.2.1, 10.0.0.8");
    await ask("192.0.2.66", "198.51.100.1");
    expect(refused().map(({ from }) => from)).toEqual(["192.0.2.1", "192.0.2.66"]);
  });

  test("names them in the lines of other answers, too", async () => {
    const log = readableLog();
    const { server } = await useService({ logger: log.logger, trustedProxies: ["10.0.0.0/8"] });
    const headers = { "x-forwarded-for": "192.0.2.1" };
    await server.inject({ url: "/nowhere", remoteAddress: "10.0.0.7", headers });
    await until(() => log.from(30).some(({ path, from }) => path === "/nowhere" && from === "192.0.2.1"));
  });
});
