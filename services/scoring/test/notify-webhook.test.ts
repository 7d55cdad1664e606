import { describe, expect, test } from "vitest";
import { alertRows, noneWaits } from "./support/alert-rows.ts";
import { untilSent } from "./support/peer-kinds.ts";
import { isSigned, notifyFile, secretOf, usePeer } from "./support/peers.ts";
import { report } from "./support/problem-report.ts";
import { until, useService } from "./support/service.ts";

describe("a webhook", () => {
  const settings = (url: string, rest = "", secrets: Record<string, string> = { secret: secretOf("one") }) =>
    notifyFile(
      `destinations: { peer: { kind: webhook, url: "${url}", secret_file: secret, allow_private: true${rest} } }
routes: [{ to: [peer] }]`,
      secrets,
    );

  test("is a CloudEvent with the signature of each secret, and the same id at each try", async () => {
    const { url, requests } = await usePeer((_, count) => ({ status: count === 0 ? 500 : 204 }));
    const secrets = { secret: secretOf("one"), former: secretOf("two") };
    const service = await useService({ notify: await settings(url, ", former_secret_file: former", secrets) });
    await report(service);
    await untilSent(service);
    const [first, second] = requests;
    for (const request of requests) {
      expect(isSigned(request, secrets.secret)).toBe(true);
      expect(isSigned(request, secrets.former)).toBe(true);
      expect(isSigned(request, secretOf("three"))).toBe(false);
      expect(isSigned({ ...request, body: `${request.body} ` }, secrets.secret)).toBe(false);
    }
    expect(first?.headers["webhook-id"]).toBe(second?.headers["webhook-id"]);
    expect(first?.headers["content-type"]).toMatch(/^application\/cloudevents\+json/);
    expect(JSON.parse(first?.body ?? "")).toEqual({
      ...{ specversion: "1.0", id: first?.headers["webhook-id"], type: "maturity.problem.opened", source: "/maturity" },
      ...{
        subject: expect.stringMatching(/^1@/),
        time: expect.stringMatching(/Z$/),
        datacontenttype: "application/json",
      },
      data: {
        ...{
          area: "shop",
          team: "checkout",
          app: "cart",
          env: "prod",
          severity: "high",
          problem_type: "terraform_secret",
        },
        ...{ count: 2, details: [{ file: "main.tf", line: 3, description: "AWS key" }, { file: "b.tf" }] },
        ...{ chat_channel: "#security", opened_at: expect.any(Number), reports: 1, is_first: true, link: null },
      },
    });
  });

  test("has another id when a report joined it before the next try, so that receivers take it", async () => {
    const { url, requests } = await usePeer((_, count) => ({ status: count === 1 ? 500 : 204 }));
    const service = await useService({ notify: await settings(url) });
    await report(service);
    await untilSent(service);
    await report(service, { count: 3 });
    await until(() => requests.length === 2);
    await until(async () => (await alertRows(service.databaseUrl)).some(({ pause }) => pause > 0));
    await report(service, { count: 4 });
    await untilSent(service);
    const sent = requests.map(({ headers, body }) => [headers["webhook-id"], JSON.parse(body).data.count]);
    expect(sent.map(([, count]) => count)).toEqual([2, 3, 4]);
    expect(new Set(sent.map(([id]) => id)).size).toBe(3);
  });

  test("whose receiver asks to wait for longer than a day is a dead letter", async () => {
    const { url, requests } = await usePeer(() => ({ status: 503, headers: { "retry-after": "1" } }));
    const service = await useService({ notify: await settings(url) });
    await report(service);
    await until(() => requests.length > 1);
    await service.database.knex.raw("UPDATE notifications SET queued_at = now() - interval '25 hours'");
    await until(() => noneWaits(service.databaseUrl));
    expect(await alertRows(service.databaseUrl)).toMatchObject([{ state: "dead", reason: "HTTP status 503" }]);
  });

  test.each([429, 503])("waits as long as %i says by Retry-After, and that is no try", async (status) => {
    const { url, requests } = await usePeer((_, count) =>
      count === 0 ? { status, headers: { "retry-after": "2" } } : { status: 200 },
    );
    const service = await useService({ notify: await settings(url) });
    const begun = Date.now();
    await report(service);
    await until(() => requests.length === 2);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(2_000);
    await until(() => noneWaits(service.databaseUrl));
  });

  test("is not sent to where an answer leads", async () => {
    const elsewhere = await usePeer();
    const { url, requests } = await usePeer(() => ({ status: 307, headers: { location: elsewhere.url } }));
    const service = await useService({ notify: await settings(url) });
    await report(service);
    await until(async () => (await alertRows(service.databaseUrl)).some(({ pause }) => pause > 0));
    expect(requests.length).toBeGreaterThan(0);
    expect(elsewhere.requests).toEqual([]);
  });

  test("to a private address is a dead letter unless that is allowed", async () => {
    const { url, requests } = await usePeer();
    const notify = await notifyFile(
      `destinations: { peer: { kind: webhook, url: "${url}", secret_file: secret } }
routes: [{ to: [peer] }]`,
      { secret: secretOf("one") },
    );
    const service = await useService({ notify });
    await report(service);
    await until(() => noneWaits(service.databaseUrl));
    expect(await alertRows(service.databaseUrl)).toMatchObject([{ reason: "its address is not of the internet" }]);
    expect(requests).toEqual([]);
  });
});
