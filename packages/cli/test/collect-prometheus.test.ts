import { beforeAll, describe, expect, test } from "vitest";
import { until } from "../../../services/scoring/test/support/service.ts";
import { collect, useCollecting, useServer } from "./support/collecting.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
let env: Record<string, string>;
beforeAll(() => {
  env = { MATURITY_URL: service.url };
});

/** A file with one query of PromQL. */
const promFile = (url: string, timeout = "10m") => `
sources:
  prometheus:
    prometheus: ${url}
    token: \${TOKEN}
    headers:
      X-Scope-OrgID: tenant
    timeout: ${timeout}

queries:
  - name: availability
    source: prometheus
    query: up == 1
    metric: sla
    raw: { availability_pct: $value }
    target: { area: shop, team: prometheus, app: $app, env: prod }
`;

describe("what stands where Prometheus should", () => {
  const json = (status: number, body: object) => ({ status, headers: {}, body: JSON.stringify(body) });
  test.each<[string, { status: number; headers: Record<string, string>; body: string } | undefined, RegExp]>([
    ["an error of its own", json(422, { status: "error", error: "too many samples" }), /^too many samples$/],
    [
      "a login page",
      { status: 200, headers: {}, body: "<html>" },
      /answers with status 200, and not as Prometheus does$/,
    ],
    ["a proxy's error", { status: 502, headers: {}, body: "Bad gateway" }, /answers with status 502, and not as/],
    ["JSON of something else", json(200, { ok: true }), /^the answer is none of Prometheus's HTTP API$/],
    [
      "a redirect",
      { status: 301, headers: { location: "https://other" }, body: "" },
      /redirects to https:\/\/other; give/,
    ],
    ["nothing that answers", undefined, /api\/v1\/query gave no answer within 200 ms$/],
    ["a token that it repeats", json(401, { status: "error", error: "bad token t0ken" }), /^bad token \*\*\*$/],
  ])("%s", async (_, answer, said) => {
    const { url } = await useServer((_, response) => {
      if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    const file = answer ? promFile(url) : promFile(url, "200ms");
    const { code, stdout } = await collect(file, ["--json"], { ...env, TOKEN: "t0ken" });
    const [{ error }] = JSON.parse(stdout).queries;
    expect({ code, error }).toEqual({ code: 2, error: expect.stringMatching(said) });
  });
});

test("an answer without end is broken off", async () => {
  const chunk = Buffer.alloc(1_048_576, " ");
  const { url } = await useServer((_, response) => {
    const more = () => void (response.destroyed || response.write(chunk, more));
    more();
  });
  const { code, stdout } = await collect(promFile(url), ["--json"], { ...env, TOKEN: "t0ken" });
  expect({ code, error: JSON.parse(stdout).queries[0].error }).toEqual({
    code: 2,
    error: "the answer is longer than 64 MiB: aggregate it in the query",
  });
});

test("Prometheus is asked with token and headers; its warnings about the query and rows without labels are said", async () => {
  const bodies: string[] = [];
  const { url, requests } = await useServer(async (request, response) => {
    bodies.push(await new Response(request as never).text());
    const result = [
      { metric: { app: "cart" }, value: [1, "99.5"] },
      { metric: { pod: "x" }, value: [1, "98"] },
    ];
    response.end(
      JSON.stringify({ status: "success", data: { resultType: "vector", result }, warnings: ["PromQL warning: x"] }),
    );
  });
  expect(await collect(promFile(`${url}/base/`), [], { ...env, TOKEN: "t0ken" })).toEqual({
    code: 2,
    stdout: "availability (sla): 1 sent, 1 faulty\n",
    stderr:
      "note: availability: PromQL warning: x\n" +
      'warning: availability: {pod="x"}: app: the series has no label app\n',
  });
  const [{ method, url: path, headers }] = requests as [(typeof requests)[number]];
  expect({ method, path, headers }).toMatchObject({
    method: "POST",
    path: "/base/api/v1/query",
    headers: { authorization: "Bearer t0ken", "x-scope-orgid": "tenant" },
  });
  expect(Object.fromEntries(new URLSearchParams(bodies[0]))).toEqual({
    query: "up == 1",
    timeout: "600000ms",
    partial_response: "false",
    deny_partial_response: "1",
  });
});

test("with --every it ends while Prometheus is silent", async () => {
  const { url, requests } = await useServer(() => {});
  const file = promFile(url);
  const { MATURITY_URL = "" } = env;
  const process = await useCollecting(file, ["--every", "1h"], { TOKEN: "t0ken", MATURITY_URL });
  await until(() => requests.length > 0);
  process.stop();
  expect([await process.exit, process.stdout()]).toEqual([0, ""]);
});
