import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lists } from "./support/injected.ts";
import { report } from "./support/problem-report.ts";
import { sendBytes } from "./support/raw-http.ts";
import { post, put } from "./support/requests.ts";
import { startService, type TestService } from "./support/service.ts";
import { waive } from "./support/waivers.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** All that is answered to a request, which is the last of its connection. */
function answerTo(method: string, path: string, header = ""): Promise<string> {
  return sendBytes(service, `${method} ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${header}\r\n`);
}

function expectPlain(answers: string, requests: string): void {
  for (const answer of answers.split(/(?=HTTP\/1\.1 )/)) {
    expect(answer.slice(0, answer.indexOf("\r\n\r\n")), requests).toMatch(
      /\r\nx-content-type-options: nosniff(?:\r|$)/i,
    );
  }
}

describe("no answer may be taken for something else:", () => {
  beforeAll(() => service.server.start());

  test("of no route, be it a success, a refusal, a file or nothing new", async () => {
    const routes = service.server.table();
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, path } of routes) {
      const url = path.replace("{file}", "none.js").replace("{id}", "none");
      for (const asked of method === "get" ? ["GET", "HEAD"] : [method === "*" ? "PATCH" : method.toUpperCase()]) {
        const answer = await answerTo(asked, url);
        expectPlain(answer, `${asked} ${url}`);
        const [, etag] = /\r\netag: (.*)\r\n/i.exec(answer) ?? [];
        if (etag === undefined || !answer.startsWith("HTTP/1.1 200 ")) continue;
        const again = await answerTo(asked, url, `if-none-match: ${etag}\r\n`);
        expect(again, url).toMatch(/^HTTP\/1\.1 304 /);
        expectPlain(again, `${asked} ${url} again`);
      }
    }
  });

  test.each(["/nothing", "/%", "/docs/../none", "//", "/waivers/%00", "*"])("of no path such as %s", async (path) => {
    const answer = await answerTo("GET", path);
    expect(answer).toMatch(/^HTTP\/1\.1 4/);
    expectPlain(answer, path);
  });

  const good = "GET /livez HTTP/1.1\r\nhost: a\r\n\r\n";
  test.each([
    ["what is no HTTP", 400, "nonsense\r\n\r\n"],
    ["what is no HTTP, behind a request", 200, `${good}nonsense\r\n\r\n`],
    ["a header that is none", 400, "GET / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n"],
    ["a request without a host", 400, "GET / HTTP/1.1\r\n\r\n"],
    ["an unknown expectation", 417, "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\nexpect: more\r\n\r\n"],
  ])("not even of %s", async (_, status, bytes) => {
    const answers = await sendBytes(service, bytes);
    expect(answers).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expectPlain(answers, bytes);
  });
});

test("no CSV of any list begins a formula in a cell, whatever names hold", async () => {
  const names = ["=1+1", "@SUM/1+1", "@cmd/../x", "\uff1d1+1", "\uff0b1", "\uff20SUM(1)", "-1", "+1"];
  for (const name of names) {
    const app = { area: name, team: name, app: name };
    const score = { ...app, env: name, scorecard: "security", metric: "secret_scan", raw: { found: false } };
    expect((await post(service, "/score", { ...score, pipeline_id: name, project_repo: name })).status).toBe(200);
    await report(service, { ...app, env: name, problem_type: name });
    await waive(service, { ...app, scorecard: "security", reason: name, owner: name });
    expect((await put(service, "/registry", { ...app, owner: name, repo: name, tier: name })).status).toBe(200);
    await post(service, "/apps/move", { from: { ...app, app: `${name}2` }, to: app });
  }
  const paths = [...lists.filter(({ needed }) => !needed).map(({ path }) => path), "/scorecards", "/search?q=1"];
  for (const path of paths) {
    const { statusCode, payload } = await service.server.inject({ url: path, headers: { accept: "text/csv" } });
    expect([path, statusCode]).toEqual([path, 200]);
    const cells = [...payload.matchAll(/(?:^|,|\r\n)("(?:[^"]|"")*"|[^",\r\n]*)/g)].map(([, cell = ""]) =>
      cell.replace(/^"/, ""),
    );
    const formulas = cells.filter((cell) => /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell));
    expect(
      formulas.filter((cell) => !/^@[a-z-]+\/[a-z-]+@\d[\d.]*$|^-\d+(?:\.\d+)?$/.test(cell)),
      path,
    ).toEqual([]);
  }
});
