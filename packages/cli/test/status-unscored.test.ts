import { createClient } from "@maturity/client";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };

beforeAll(() =>
  createClient({ url: service.url }).submit({
    ...cart,
    scorecard: "reliability",
    metric: "sla",
    raw: { availability_pct: 100 },
  }),
);

describe("of an application without a score", () => {
  test("shows how to send the first one", async () => {
    expect(await service.maturity(["status", "--app", "it's new"])).toEqual({
      code: 0,
      stdout: `shop / checkout / it's new / prod has no score yet
this command sends the first scores, from a directory into which your tools wrote their reports:
  maturity submit --app 'it'\\''s new' reports
`,
      stderr: "",
    });
  });

  test("says of one that is registered that it is, and what is waived of it", async () => {
    const client = createClient({ url: service.url });
    const app = { area: "shop", team: "checkout", app: "returns" };
    await client.register([app]);
    await client.waive({ kind: "not_applicable", ...app, scorecard: "security", reason: "a library", owner: "ann" });
    const argv = ["status", "--app", "returns"];
    const options = { env: { MATURITY_ENV: "" } };
    const registered = "shop / checkout / returns is registered, and has reported nothing yet\n";
    await vi.waitFor(
      async () => expect((await service.maturity(argv, {}, options)).stdout).toContain(registered),
      { timeout: 60_000, interval: 500 }, // roll-ups are up to 15 seconds old
    );
    expect((await service.maturity(argv, {}, options)).stdout).toBe(
      `${registered}this command sends the first scores, from a directory into which your tools wrote their reports:
  maturity submit --app returns --env prod reports

Waived
  security, all of it until it is revoked, by ann: a library
`,
    );
    expect(JSON.parse((await service.maturity([...argv, "--ndjson"], {}, options)).stdout)).toMatchObject({
      ...{ ...app, env: null, score: null, registered: true, open_problems: [] },
      waivers: [{ scorecard: "security" }],
    });
  });

  test("says of one that has reported only problems that it has, and shows them", async () => {
    const client = createClient({ url: service.url });
    const refunds = { ...cart, app: "refunds" };
    await client.reportProblem({ ...refunds, problem_type: "secret", severity: "critical", count: 1, details: [] });
    const status = async (options = {}) => (await service.maturity(["status", "--app", "refunds"], {}, options)).stdout;
    const none = { as_of: "2026-03-01T12:00:00.000Z", items: [], next: null, total: 0 };
    const fetch = async (request: Request) =>
      new URL(request.url).pathname === "/apps" ? Response.json(none) : globalThis.fetch(request);
    expect(await status({ fetch })).toMatch(
      /^shop .* refunds \/ prod has reported only problems yet, so it has no score\nthis command sends /,
    );
    await vi.waitFor(
      async () =>
        expect(await status()).toMatch(
          /^shop .* refunds \/ prod {2}-\nit has reported only problems, so it has no score\n.*gravest first\nsecret /s,
        ),
      { timeout: 60_000, interval: 500 }, // roll-ups are up to 15 seconds old
    );
  });

  test("proposes the name that was meant", async () => {
    const { stderr } = await service.maturity(["status", "--app", "carts", "--team", "checkuot"]);
    expect(stderr).toBe(`warning: there is no team checkuot with a score; did you mean checkout?
warning: there is no application carts with a score; did you mean cart?
`);
  });

  test("is null in JSON", async () => {
    const { stdout } = await service.maturity(["status", "--app", "new", "--json"]);
    expect(JSON.parse(stdout).items[0]).toEqual({
      ...cart,
      app: "new",
      score: null,
      open_problems: [],
      waivers: [],
      campaigns: [],
    });
  });
});
