import { Agent, request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { get, post } from "../test/support/own-connection.ts";
import { query } from "../test/support/postgres.ts";
import { createDatabase, until } from "../test/support/service.ts";
import { useServiceProcess } from "../test/support/service-process.ts";

const target = { area: "shop", team: "checkout", env: "prod", scorecard: "security", metric: "dast" };
const submission = (app: string) => ({ ...target, app, raw: { high: 0, medium: 0 } });

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** Sends a body on a connection that stays open. */
function send(agent: Agent, url: URL, body: string): Promise<Answer> {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    request(url, { agent, method: "POST", headers }, async (response) => {
      const text = (await response.setEncoding("utf8").toArray()).join("");
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"], body: text });
    })
      .once("error", reject)
      .end(body);
  });
}

/** Clients that send their next request as soon as they have an answer, whatever it is. */
function startClients(url: URL, count: number, bodyOf: (app: string) => string) {
  const acknowledged: string[] = [];
  const refused = new Map<string, number>();
  const wrong: unknown[] = [];
  let stopped = false;
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  onTestFinished(() => agent.destroy());
  const clients = Array.from({ length: count }, async (_, client) => {
    for (let turn = 0; !stopped; turn++) {
      const app = `app-${client}-${turn}`;
      const answer = await send(agent, url, bodyOf(app));
      if (answer.status === 200) acknowledged.push(app);
      else if (answer.status === 503 && answer.retryAfter) {
        const { code } = JSON.parse(answer.body);
        refused.set(code, (refused.get(code) ?? 0) + 1);
      } else wrong.push(answer);
    }
  });
  return {
    acknowledged,
    wrong,
    overloaded: () => refused.get("overloaded") ?? 0,
    async stop() {
      stopped = true;
      await Promise.all(clients);
    },
  };
}

test.each([
  {
    what: "1,500 clients that send one score after the other",
    clients: 1_500,
    path: "/score",
    bodyOf: (app: string) => JSON.stringify(submission(app)),
    wanted: { acknowledged: 2_000, overloaded: 200 },
  },
  {
    what: "60 clients that send one batch of 1,000 scores after the other",
    clients: 60,
    path: "/scores",
    bodyOf: (app: string) =>
      JSON.stringify({ scores: Array.from({ length: 1_000 }, (_, index) => submission(`${app}-${index}`)) }),
    wanted: { acknowledged: 40, overloaded: 100 },
  },
])(
  "of $what some are turned away, and who is not gets what was promised",
  {
    timeout: 120_000,
  },
  async ({ clients, path, bodyOf, wanted }) => {
    const databaseUrl = await createDatabase("postgres");
    const service = await useServiceProcess({ DATABASE_URL: databaseUrl, LOG_LEVEL: "warn" });
    const address = await service.address();
    expect(await get(address, "/healthz")).toBe('{"status":"ok"}');
    const load = startClients(new URL(path, address), clients, bodyOf);
    await until(async () => {
      for (const check of ["/livez", "/healthz"]) expect(await get(address, check)).toBe('{"status":"ok"}');
      return load.acknowledged.length >= wanted.acknowledged && load.overloaded() >= wanted.overloaded;
    });
    await load.stop();
    expect(load.wrong).toEqual([]);
    expect((await post(address, "/score", submission("after"))).status).toBe(200);
    const { rows } = await query(
      databaseUrl,
      "SELECT DISTINCT substring(app from '^app-[0-9]+-[0-9]+') AS app FROM scores",
    );
    expect(rows.map(({ app }) => app)).toEqual(expect.arrayContaining(load.acknowledged));
    expect(await get(address, "/metrics/service")).toMatch(
      /^maturity_overload_total\{what="request_refused"\} [1-9]\d+$/m,
    );
    expect(service.log().map(({ msg }) => msg)).toContain("overloaded: refusing what there is no room for");
  },
);
