import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { NewWaiver } from "../src/model/waiver.ts";
import { registerApps } from "../src/store/apps.ts";
import { type AuditEntry, recordAudit } from "../src/store/audit.ts";
import { insertWaiver } from "../src/store/waivers.ts";
import { mebibyte } from "./support/bad-bodies.ts";
import { useChatServer } from "./support/chat-server.ts";
import { parseExposition, type Sample } from "./support/exposition-parser.ts";
import { readableLog } from "./support/log.ts";
import { freePort, query, withDatabase } from "./support/postgres.ts";
import { problem, report } from "./support/problem-report.ts";
import { sendBytes } from "./support/raw-http.ts";
import { post, put, rows } from "./support/requests.ts";
import { createDatabase, startService, type TestService, until, useService } from "./support/service.ts";
import { useTcpProxy } from "./support/tcp-proxy.ts";
import { listed, waive } from "./support/waivers.ts";

const score = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "dast" },
  raw: { high: 0, medium: 0 },
};

const statements = [
  "'; DROP TABLE scores; --",
  "' OR '1'='1",
  "x') ON CONFLICT DO NOTHING; DELETE FROM problems; --",
  "$1); SELECT pg_sleep(60); --",
  "\\'; DROP TABLE scores; --",
  "E'\\\\x27; DROP TABLE scores; --",
  "$$; DROP TABLE problems; $$",
  "/* */ UNION SELECT labels FROM scores --",
  "?::text, :name, %s",
  "\u02bc; DROP TABLE scores; --",
];

const names = ["area", "team", "app", "env"];
const { raw: _, ...key } = score;

const { scorecard: __, metric: ___, ...target } = key;

interface List {
  readonly path: string;
  /** The parameters that take any text. */
  readonly texts: readonly string[];
  /** Those that do not. */
  readonly others: readonly string[];
  /** What the list needs to be asked at all. */
  readonly needed?: Readonly<Record<string, string>>;
}

const ofHistory = { path: "/history", others: ["since", "until", "changes", "sort"] };

const lists: readonly List[] = [
  ...["/areas", "/teams"].map((path) => ({ path, texts: names, others: ["sort", "below", "since", "trend"] })),
  { path: "/apps", texts: names, others: ["sort", "below", "since", "missing", "reported", "trend", "detail"] },
  {
    path: "/aliases",
    texts: ["area", "team", "app", "former_area", "former_team", "former_app"],
    others: [],
  },
  { path: "/registry", texts: ["area", "team", "app"], others: ["retired"] },
  {
    path: "/scores",
    texts: [...names, "scorecard", "metric", "scorer"],
    others: ["state", "below", "sort", "detail"],
  },
  { path: "/problems", texts: [...names, "problem_type"], others: ["severity", "all", "sort", "detail"] },
  { path: "/audit", texts: [...names, "actor"], others: ["action", "since", "until"] },
  {
    path: "/waivers",
    texts: [...names, "scorecard", "metric", "problem_type", "owner"],
    others: ["kind", "all", "sort"],
  },
  { path: "/changes", texts: names, others: ["since", "sort"] },
  { ...ofHistory, texts: Object.keys(key), needed: key },
  { ...ofHistory, texts: names, needed: { ...target, changes: "true" } },
];

/** A waiver of the same application. */
const oneWaiver: NewWaiver = {
  ...{ kind: "not_applicable", area: "shop", team: "checkout", app: "cart", env: "prod" },
  ...{ scorecard: "reliability", metric: "sla", reason: "none", owner: "ann" },
};

/** A deed in the area of the score. */
const oneEntry: AuditEntry = { actor: "ann", action: "app.retire", target: { area: "shop" }, details: {} };

const series = async ({ server }: TestService, search = ""): Promise<Sample[]> =>
  parseExposition((await server.inject(`/metrics?collect[]=scores&collect[]=problems${search}`)).payload);

describe("SQL injection", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await post(service, "/score", score);
    await report(service);
    await recordAudit(service.database.knex, oneEntry);
    await insertWaiver(service.database.knex, oneWaiver, "office");
    const { env: _, ...app } = target;
    await service.database.knex.raw(
      "INSERT INTO app_aliases (area, team, app, to_area, to_team, to_app) VALUES ('former', 't', 'a', 'shop', 'checkout', 'cart')",
    );
    await registerApps(service.database.knex, [{ ...app, owner: null, repo: null, tier: null, labels: {} }]);
  });
  afterAll(() => service.stop());

  test.each(statements)("%s in each name, raw and text is data", async (text) => {
    const names = { area: text, team: text, app: text, env: text };
    const raw = { ...score.raw, [`key ${text.replaceAll("\\", "")}`]: text }; // a key holds no backslash
    const more = { pipeline_id: text, project_repo: text };
    expect(await post(service, "/score", { ...score, ...names, ...more, raw })).toMatchObject({ status: 200 });
    expect(await post(service, "/scores", { scores: [{ ...score, ...names, ...more, raw }] })).toMatchObject({
      status: 200,
    });
    const details = [{ file: text, description: text }];
    const sent = { ...names, problem_type: text, count: 1, details, chat_channel: text };
    expect(await report(service, sent)).toMatchObject({ status: 200 });
    const of = (table: Record<string, unknown>[]) => table.filter(({ area }) => area === text);
    const registered = {
      area: text,
      team: text,
      app: text,
      owner: text,
      repo: text,
      tier: text,
      labels: { [text]: text },
    };
    expect(await put(service, "/registry", registered)).toMatchObject({ status: 200 });
    const [moved, retired] = ["moved", "retired"].map((name) => ({ area: text, team: text, app: `${text} ${name}` }));
    const { area: __, team: ___, ...rest } = { ...score, ...moved };
    await post(service, "/score", { area: text, team: text, ...rest, app: `${text} first` });
    const from = { area: text, team: text, app: `${text} first` };
    expect(await post(service, "/apps/move", { from, to: moved })).toMatchObject({ status: 200 });
    expect(await post(service, "/score", { ...score, ...from })).toMatchObject({ body: { moved_to: moved } });
    expect(await post(service, "/apps/move", { from: moved, to: retired })).toMatchObject({ status: 200 });
    expect(await post(service, "/apps/retire", { ...retired, reason: text })).toMatchObject({ status: 200 });
    const { payload } = await service.server.inject(`/registry?area=${encodeURIComponent(text)}`);
    expect(JSON.parse(payload).items).toMatchObject([registered]);
    expect(of(await rows(service, "scores"))).toMatchObject([{ ...names, ...more, raw }]);
    expect(of(await rows(service, "problems"))).toMatchObject([sent]);
  });

  test.each(statements)("%s in an audited deed is data", async (text) => {
    const entry = { actor: text, target: { area: text, team: text }, details: { [text]: text } };
    await recordAudit(service.database.knex, { ...oneEntry, ...entry });
    const { payload } = await service.server.inject(`/audit?${new URLSearchParams({ actor: text })}`);
    const { actor, details, target } = entry;
    expect(JSON.parse(payload).items).toMatchObject([{ actor, details, ...target }]);
  });

  test.each(statements)("%s in each text of a waiver is data", async (text) => {
    const sent = { area: text, team: text, app: text, env: text, problem_type: text, reason: text, owner: text };
    const { id } = await waive(service, sent);
    const query = new URLSearchParams({
      area: text,
      team: text,
      app: text,
      env: text,
      problem_type: text,
      owner: text,
    });
    expect(await listed(service, `?${query}`)).toMatchObject([{ id, ...sent }]);
    for (const name of ["kind", "scorecard", "metric", "expires_at"]) {
      const kind = { kind: "not_applicable", area: text, scorecard: "security", reason: text, owner: text };
      const { status, body } = await post(service, "/waivers", { ...kind, [name]: text });
      expect([status, body.details]).toMatchObject([400, [{ path: name }]]);
    }
    const { statusCode } = await service.server.inject({
      ...{ method: "DELETE", url: `/waivers/${encodeURIComponent(text)}` },
    });
    expect(statusCode).toBe(404);
  });

  test.each(statements)("%s as a filter finds nothing else", async (text) => {
    const value = encodeURIComponent(`${text}-`);
    for (const name of ["area", "team", "app", "env"]) expect(await series(service, `&${name}=${value}`)).toEqual([]);
    const { statusCode } = await service.server.inject(`/metrics?collect[]=${encodeURIComponent(text)}`);
    expect(statusCode).toBe(400);
    for (const { path, texts, needed = {} } of lists) {
      for (const name of texts) {
        const query = new URLSearchParams({ ...needed, [name]: `${text}-` });
        const { payload } = await service.server.inject(`${path}?${query}`);
        expect(JSON.parse(payload)).toMatchObject({ items: [], total: 0 });
      }
    }
    expect(await rows(service, "scores")).toContainEqual(expect.objectContaining({ area: "shop" }));
  });

  test("each list finds what stands beside the statements", async () => {
    for (const { path, needed = {} } of lists) {
      const { payload } = await service.server.inject(`${path}?${new URLSearchParams({ area: "shop", ...needed })}`);
      expect(JSON.parse(payload), path).toMatchObject({ total: 1 });
    }
  });

  test.each(statements)("%s as any other value is refused", async (text) => {
    for (const { path, others, needed = {} } of lists) {
      for (const name of [...others, "limit", "cursor", text]) {
        const { statusCode, payload } = await service.server.inject(
          `${path}?${new URLSearchParams({ ...needed, [name]: text })}`,
        );
        expect(statusCode, payload).toBe(400);
        expect(JSON.parse(payload).details, payload).toMatchObject([{ path: name }]);
      }
    }
    for (const path of ["/scorecards", "/whoami"]) {
      expect((await service.server.inject(`${path}?area=${encodeURIComponent(text)}`)).statusCode).toBe(400);
    }
  });

  test.each(statements)("%s as the name of a token is what /whoami tells", async (name) => {
    const { server, database } = await useService({ auth: "token" });
    const token = createToken();
    const bounds = { area: name };
    await insertToken(database.knex, { name, hash: hashToken(token), scopes: ["admin"], bounds });
    const headers = { authorization: `Bearer ${token}` };
    const { payload } = await server.inject({ url: "/whoami", headers });
    expect(JSON.parse(payload)).toEqual({ name, scopes: ["admin"], bounds });
    for (const { path } of lists.filter(({ needed }) => needed === undefined)) {
      expect(JSON.parse((await server.inject({ url: path, headers })).payload)).toMatchObject({ items: [], total: 0 });
    }
  });
});

describe("log injection", () => {
  test("no name, path, query, method or header forges a line or colours a terminal", async () => {
    const { logger, lines } = readableLog();
    const service = await useService({ logger });
    await service.server.start();
    const forged = '\n{"level":30,"msg":"forged"}\r\n\u001b[2J\u001b[31mred';
    await post(service, "/score", { ...score, area: forged, [forged]: 1 });
    await post(service, "/score", { ...score, scorecard: forged });
    await service.server.inject(`/nope${encodeURIComponent(forged)}?${encodeURIComponent(forged)}`);
    await service.server.inject({ url: "/metrics?area=%0a", headers: { "user-agent": forged } });
    const start = lines.length;
    for (const line of [
      "GET /nope%0a%0d%1b[31m HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      "GET /nope\u001b[31m\u009b31m HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      'GET /metrics?area=%00 HTTP/1.1\r\nHost: a\r\nUser-Agent: x\u009b\t{"level":60}\r\nConnection: close\r\n\r\n',
      "GET /nope HTTP/1.1\r\nHost: [\u009b31m\r\nConnection: close\r\n\r\n",
      "\u001b[31mGET / HTTP/1.1\r\n\r\n",
    ]) {
      expect(await sendBytes(service, line)).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
    expect(lines.length).toBeGreaterThan(start);
    for (const line of lines) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f]+\n$/);
      expect(JSON.parse(line)).not.toMatchObject({ msg: "forged" });
    }
  });
});

describe("header injection", () => {
  test.each([
    "/x%0d%0aX-Forged:%201",
    "/metrics?area=a%0d%0aX-Forged:%201",
    "/score?x=%0aX-Forged:1",
    "/changes?since=a%0d%0aX-Forged:%201",
    "/history?area=a&env=b&cursor=%0d%0aX-Forged:%201",
    "/whoami?x=%0d%0aX-Forged:%201",
    "//evil.example/%0d%0a",
  ])("%s adds no header to the answer", async (url) => {
    const service = await useService();
    await service.server.start();
    const answer = await sendBytes(service, `GET ${url} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const [head = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 40[045] /);
    expect(head.toLowerCase()).not.toMatch(/x-forged|evil\.example/);
  });

  test.each([
    ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"],
    [
      "a length and chunks",
      "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\n\r\n",
    ],
    ["a folded header", "X-A: 1\r\n folded: 2\r\n\r\n"],
    ["a bare line feed", "X-A: 1\nX-B: 2\r\nTransfer-Encoding : chunked\r\n\r\n"],
  ])("a request with %s is refused, and nothing behind it is answered", async (_, rest) => {
    const service = await useService();
    await service.server.start();
    const answer = await sendBytes(service, `POST /score HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

test("label injection: quotes, backslashes and what looks like an escape stay within their label", async () => {
  const service = await useService();
  const forgeries = [
    'a",app="b',
    'x"} 100\\nmaturity_score{area="forged',
    "\\",
    '\\"',
    "\\n",
    '\\\\"',
    "}",
    '"} 1 # {',
    "a\\",
  ];
  for (const name of forgeries) {
    const names = { area: name, team: name, app: name, env: name };
    expect(await post(service, "/score", { ...score, ...names })).toMatchObject({ status: 200 });
    expect(await report(service, { ...names, problem_type: name })).toMatchObject({ status: 200 });
  }
  const samples = await series(service);
  expect(samples).toHaveLength(2 * forgeries.length);
  for (const name of forgeries) {
    const labels = { area: name, team: name, app: name, env: name };
    const { scorecard, metric } = score;
    expect(samples).toContainEqual({ name: "maturity_score", labels: { ...labels, scorecard, metric }, value: 100 });
    const found = { ...labels, problem_type: name, severity: "high" };
    expect(samples).toContainEqual({ name: "maturity_problem_count", labels: found, value: 2 });
  }
  for (const lineEnd of ["\n", "\r", "\u0085"]) {
    expect(await post(service, "/score", { ...score, app: `a${lineEnd}b` })).toMatchObject({ status: 400 });
  }
});

test("chat mark-up injection: what came from a report mentions nobody and links nowhere", async () => {
  const chat = await useChatServer();
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
  const markup = "<!channel> <!here> <@U1> <#C1> <http://x|y> & &lt;!channel&gt; <!subteam^S1>";
  const names = { area: markup, team: markup, app: markup, env: markup, problem_type: markup };
  expect(await report(service, { ...names, details: [{ file: markup, description: markup }] })).toMatchObject({
    alert: "queued",
  });
  await until(() => chat.messages().length === 1);
  const text = chat.messages()[0]?.text ?? "";
  expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
  expect(text.match(/&lt;!channel&gt;/g)).toHaveLength(7);
  expect(text.match(/&amp;lt;!channel&amp;gt;/g)).toHaveLength(7);
});

test("prototype pollution: no body and no query changes what objects inherit", async () => {
  const service = await useService();
  const bodies = [
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    JSON.stringify(score).replace('"raw":{', '"raw":{"__proto__":{"polluted":1},'),
    `{"scores":[{"__proto__":{"polluted":1}}]}`,
    JSON.stringify({ ...problem, details: [] }).replace('"details":[', '"details":[{"__proto__":{"polluted":1}}'),
  ];
  for (const url of ["/score", "/scores", "/problem/scan-result"]) {
    for (const body of bodies) expect((await post(service, url, body)).status).toBe(400);
  }
  for (const search of [
    "__proto__[polluted]=1",
    "__proto__=1",
    "constructor[prototype][polluted]=1",
    "area[__proto__]=1",
  ]) {
    const others: readonly Pick<List, "path" | "needed">[] = ["/metrics", "/scorecards", "/whoami"].map((path) => ({
      path,
    }));
    for (const { path, needed } of [...others, ...lists]) {
      const own = new URLSearchParams(needed);
      expect((await service.server.inject(`${path}?${own}&${search}`)).statusCode, path).toBe(400);
    }
  }
  const raw = { ...score.raw, constructor: { prototype: { polluted: 1 } } };
  expect(await post(service, "/score", { ...score, raw })).toMatchObject({ status: 200 });
  expect(await rows(service, "scores")).toMatchObject([{ raw }]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

describe("an error repeats only a little of what was sent", () => {
  const long = "x".repeat(mebibyte - 1_000);
  const wide = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`${index}`.padEnd(10_000, "x"), 1]));
  const nested = Array.from({ length: 30 }).reduce<object>((inner) => ({ ["x".repeat(30_000)]: inner }), { x: "\0" });
  const bodies: Readonly<Record<string, readonly [url: string, body: object | string]>> = {
    "a long name": ["/score", { ...score, area: long }],
    "a long scorecard": ["/score", { ...score, scorecard: long }],
    "a long metric": ["/score", { ...score, metric: long }],
    "a long unknown field": ["/score", { ...score, [long]: 1 }],
    "long unknown fields": ["/score", { ...score, ...wide }],
    "long keys on the way to a fault": ["/score", { ...score, raw: { ...score.raw, a: nested } }],
    "a long unknown field of an entry": ["/scores", { scores: [{ ...score, [long]: 1 }] }],
    "a long scorecard of an entry": ["/scores", { scores: [{ ...score, scorecard: long }] }],
    "a long severity": ["/problem/scan-result", { ...problem, severity: long }],
    "a long unknown field of a detail": ["/problem/scan-result", { ...problem, details: [{ file: "a", [long]: 1 }] }],
    "no JSON": ["/score", long],
    "a long text that is not closed": ["/score", `{"area":"${long}`],
  };
  test.each(Object.entries(bodies))("%s", async (_, [url, body]) => {
    const { status, body: answer } = await post(await useService(), url, body);
    expect(status).toBe(400);
    expect(JSON.stringify(answer).length).toBeLessThan(50_000);
  });
});

test("secrets and descriptions stay out of the log, at level trace and through failures", async () => {
  const unique = (what: string) => `${what}-${crypto.randomUUID().slice(0, 8)}`; // PostgreSQL quotes 64 bytes of a column
  const [password, token, bearer, description] = ["password", "xoxb", "bearer", "text"].map(unique) as [
    string,
    string,
    string,
    string,
  ];
  const { logger, lines, from } = readableLog();
  const url = await createDatabase("postgres");
  const user = `user_${crypto.randomUUID().replaceAll("-", "")}`;
  await query(withDatabase(url, "postgres"), `CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD '${password}'`);
  const proxy = useTcpProxy(Object.assign(new URL(url), { username: user, password }).href, await freePort());
  await proxy.open();
  const replies = [
    { error: "invalid_auth" },
    { status: 500 },
    { hangUp: "before" },
    { status: 429, retryAfter: 1 },
  ] as const;
  const chat = await useChatServer((_, count) => replies[count % replies.length] ?? { ok: true });
  const service = await useService({ databaseUrl: proxy.url, logger, chat: { token, apiUrl: chat.url } });
  const details = [{ file: "a.tf", description }];
  const send = async (path: string, body: object | string) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${bearer}` };
    return (await post(service, path, body, headers)).status;
  };
  const channels = ["#a", "#b", "#c", "#d"];
  for (const chat_channel of channels) {
    expect(await send("/problem/scan-result", { ...problem, app: chat_channel, chat_channel, details })).toBe(200);
  }
  expect(await send("/problem/scan-result", { ...problem, details: [{ description }] })).toBe(400);
  expect(await send("/problem/scan-result", `{"description":"${description}`)).toBe(400);
  await until(() => chat.calls.length >= channels.length);
  await query(url, "ALTER TABLE problems RENAME TO elsewhere");
  expect(await send("/problem/scan-result", { ...problem, details })).toBe(500);
  await query(url, "ALTER TABLE elsewhere RENAME TO problems");
  await query(url, "ALTER TABLE problems ADD CHECK (count <> 77)");
  expect(await send("/problem/scan-result", { ...problem, count: 77, details })).toBe(500);
  proxy.cut();
  await proxy.shut();
  expect(await send("/problem/scan-result", { ...problem, details })).toBe(503);
  expect(await send("/score", score)).toBe(503);
  await until(() => from(50).some(({ msg }) => msg?.includes("cannot reach the database")));
  await proxy.open();
  await until(async () => (await send("/problem/scan-result", { ...problem, count: 0, details: [] })) === 200);
  const log = lines.join("");
  expect(log).toMatch(/could not be sent|given up/);
  expect(log).toMatch(/"err":/);
  for (const secret of [password, token, bearer, description]) expect(log).not.toContain(secret);
});
