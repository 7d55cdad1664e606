import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Prometheus, startPrometheus } from "../../../services/scoring/e2e/support/prometheus.ts";
import { blocks } from "../../../services/scoring/test/support/markdown.ts";
import { rows } from "../../../services/scoring/test/support/requests.ts";
import { startService, type TestService } from "../../../services/scoring/test/support/service.ts";
import { collect, operations, startServer, useTables } from "../test/support/collecting.ts";
import { useShell } from "../test/support/shell.ts";

/** What Prometheus scrapes. */
const exposition = `
probe_success{area="shop",team="checkout",app="cart",prober="a"} 1
probe_success{area="shop",team="checkout",app="cart",prober="b"} 0.5
probe_success{area="shop",team="checkout",app="till",prober="a"} 1
probe_success{area="shop",team="checkout",prober="a"} 1
errors{app="cart"} 1
errors{app="till"} 0
requests{app="cart"} 4
requests{app="till"} 0
requests{app="idle",note="quote \\" and \\\\ backslash"} -1
`;

let service: TestService;
let prometheus: Prometheus;
let stopServer: () => void;
beforeAll(async () => {
  const server = await startServer((_, response) => {
    response.setHeader("content-type", "text/plain; version=0.0.4").end(exposition);
  });
  stopServer = server.stop;
  service = await startService();
  await service.server.start();
  prometheus = await startPrometheus({ targets: [server.url], rules: [] });
  await prometheus.settled();
});
afterAll(async () => {
  await prometheus.stop();
  await service.stop();
  stopServer();
});

const stored = async (team: string) => (await rows(service, "scores")).filter((row) => row.team === team);

test("the recipe of docs/recipes.md, pasted", async () => {
  const page = await blocks("docs/recipes.md");
  const [first, ...others] = page.filter(({ language }) => language === "sh").map(({ text }) => text);
  const commands = others.filter((text) => text.startsWith("maturity collect"));
  expect(commands).toHaveLength(1);
  const shell = await useShell();
  const recipe = page.find(({ info }) => info === "collect.yaml")?.text ?? "";
  const script = `${first}${commands[0]}`.replace("http://127.0.0.1:8080", service.server.info.uri);
  const env = { PROMETHEUS_URL: prometheus.url, OPERATIONS_URL: await useTables(operations) };
  const missing = 'warning: availability: {area="shop", team="checkout"}: app: the series has no label app\n';

  // This Prometheus knows of one hour at most, which is no availability of 30 days.
  await shell.write("collect.yaml", recipe);
  const tooFew = (app: string) =>
    `note: availability: {app="${app}", area="shop", team="checkout"}: 1 of 721 points are finite numbers, and min_points is 0.9\n`;
  const young = await shell.run(script, env);
  expect(young.stderr).toBe(`${tooFew("cart")}${tooFew("till")}${missing}`);
  expect(young.stdout).toMatch(/^availability \(sla\): 0 sent, 2 skipped, 1 faulty\n/);

  await shell.write("collect.yaml", recipe.replace("reduce: avg }", "reduce: avg, min_points: 0.001 }"));
  expect(await shell.run(script, env)).toEqual({
    code: 2,
    stdout: [
      "availability (sla): 2 sent, 1 faulty",
      "recovery (mttr): 1 sent",
      "detection (mttd): 2 sent",
      "failed changes (change_failure_rate): 1 sent\n",
    ].join("\n"),
    stderr: missing,
  });
  const scores = (await stored("checkout")).map(({ app, metric, raw }) => [app, metric, raw]);
  expect(scores.sort()).toEqual([
    ["cart", "change_failure_rate", { rate_pct: 12.5 }],
    ["cart", "mttd", { minutes: 5 }],
    ["cart", "mttr", { minutes: 90 }],
    ["cart", "sla", { availability_pct: 75 }],
    ["till", "mttd", { minutes: 10 }],
    ["till", "sla", { availability_pct: 100 }],
  ]);
});

/** A file with one query. */
const file = (query: string, range = "") => `
sources:
  prometheus: { prometheus: ${prometheus.url} }
queries:
  - name: query
    source: prometheus
    query: '${query}'
    ${range}
    metric: mttr
    raw: { minutes: $value }
    target: { area: shop, team: '${query}', app: $app, env: prod }
`;

const range = "range: { last: 10m, step: 1s, reduce: max, min_points: 0.001 }";

describe("what a query gives", () => {
  test.each<[query: string, range: string, code: number, sent: readonly [string, number][], said: string | RegExp]>([
    ["requests > 0", "", 0, [["cart", 4]], ""],
    ['2 * requests{app="cart"}', range, 0, [["cart", 8]], ""],
    [
      'requests{app="cart"}',
      "range: { last: 10m, step: 1s, reduce: max }",
      0,
      [],
      /^note: query: requests\{.*\}: \d+ of 601 points are finite numbers, and min_points is 0\.9\n$/,
    ],
    ["nothing", "", 0, [], "note: query: no rows, so nothing is sent\n"],
    ["nothing", range, 0, [], "note: query: no rows, so nothing is sent\n"],
    ['errors{app="till"} / requests', "", 0, [], 'note: query: {app="till"}: $value is NaN\n'],
    ['requests{app="cart"} / 0', "", 0, [], 'note: query: {app="cart"}: $value is Infinity\n'],
    [
      'requests{app="idle"}',
      "",
      3,
      [],
      'warning: query: requests{app="idle", note="quote \\" and \\\\ backslash"}: raw.minutes must be greater than or equal to 0; it is -1\n',
    ],
    [
      "probe_success > 0.1",
      "",
      2,
      [],
      'warning: query: probe_success{app="cart", area="shop", prober="a", team="checkout"} and probe_success{app="cart", area="shop", prober="b", team="checkout"} are both of shop/probe_success > 0.1/cart/prod: aggregate over what they differ in, such as avg without (prober) (…)\n',
    ],
    ["1 + 1", "", 2, [], "warning: query: the scalar: app: the series has no label app\n"],
    [
      "requests[1m]",
      "",
      2,
      [],
      /^warning: query: the query gives a range of points: add a function such as avg_over_time, or a range\n$/,
    ],
    ["requests[1m]", range, 2, [], /^warning: query: .*invalid expression type "range vector" for range query.*\n$/],
    ["sum(requests", "", 2, [], /^warning: query: .*parse error: unclosed left parenthesis\n$/],
  ])("%s %s", async (query, range, code, sent, said) => {
    const outcome = await collect(file(query, range), [], { MATURITY_URL: service.server.info.uri });
    const stderr = outcome.stderr.replaceAll(/, instance="[\d.:]+", job="maturity"/g, "");
    expect({ code: outcome.code, stderr }).toEqual({
      code,
      stderr: typeof said === "string" ? said : expect.stringMatching(said),
    });
    const scores = (await stored(query)).map(({ app, raw }) => [app, (raw as { minutes: number }).minutes]);
    expect(scores).toEqual(sent);
  });
});
