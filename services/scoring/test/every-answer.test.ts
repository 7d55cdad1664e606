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

describe("no answer may be taken for something else:", () => {
  test("of no route, be it a success, a refusal, a file or nothing new", async () => {
    const routes = service.server.table();
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, path } of routes) {
      const url = path.replace("{file}", "none.js").replace("{id}", "none");
      for (const asked of method === "get" ? ["GET", "HEAD"] : [method === "*" ? "PATCH" : method.toUpperCase()]) {
        const { headers, statusCode } = await service.server.inject({ method: asked, url });
        expect([asked, url, headers["x-content-type-options"]]).toEqual([asked, url, "nosniff"]);
        if (headers.etag === undefined || statusCode !== 200) continue;
        const again = await service.server.inject({ url, headers: { "if-none-match": String(headers.etag) } });
        expect([url, again.statusCode, again.headers["x-content-type-options"]]).toEqual([url, 304, "nosniff"]);
      }
    }
  });

  test.each(["/nothing", "/%", "/docs/../none", "//", "/waivers/%00"])("of no path such as %s", async (url) => {
    const { headers, statusCode } = await service.server.inject(url);
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  test("not even of what is no HTTP, alone or behind a request", async () => {
    await service.server.start();
    const nonsense = await sendBytes(service, "nonsense\r\n\r\n");
    expect(nonsense).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nx-content-type-options: nosniff\r\n/);
    const good = "GET /livez HTTP/1.1\r\nhost: a\r\n\r\n";
    for (const bytes of [`${good}nonsense\r\n\r\n`, "GET / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n"]) {
      const answers = (await sendBytes(service, bytes)).split(/(?=HTTP\/1\.1 )/);
      for (const answer of answers) expect(answer).toMatch(/x-content-type-options: nosniff/i);
    }
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
