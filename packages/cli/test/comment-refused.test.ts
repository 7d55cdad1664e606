import { describe, expect, test } from "vitest";
import { gate, outcome } from "./support/commented-gate.ts";
import { type Fault, token, useForge } from "./support/forges.ts";

describe.each(["GitHub", "GitLab"] as const)("on %s", (name) => {
  test.each<[string, Fault]>([
    ["too many requests", { status: 429, headers: { "retry-after": "0" } }],
    [
      "a limit that has just ended",
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" } },
    ],
    ["a fault of the server", { status: 500, body: "<html>" }],
    ["a dropped connection", "lost"],
  ])("%s: it is tried again", async (_, fault) => {
    const forge = await useForge(name);
    let faults = 0;
    forge.fault = () => (faults++ < 3 ? fault : undefined);
    expect(outcome(await gate(forge))).toEqual({ code: 1, stderr: "" });
    expect(forge.comments).toHaveLength(1);
    expect(new Set(forge.statuses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test.each<[string, Fault, string]>([
    [
      "asks to wait for long",
      { status: 429, headers: { "retry-after": "3600" } },
      "answers with status 429 and asks to wait 3600 s",
    ],
    [
      "limits bursts",
      { status: 403, body: '{"message":"You have exceeded a secondary rate limit"}' },
      "answers with status 403 (You have exceeded a secondary rate limit)",
    ],
    [
      "redirects",
      { status: 301, headers: { location: "https://new.example/" } },
      "redirects to https://new.example/, where the token is not sent",
    ],
    [
      "redirects and keeps the method",
      { status: 307, headers: { location: "/x" } },
      "redirects to /x, where the token is not sent",
    ],
    [
      "is a page",
      { status: 200, headers: { "content-type": "text/html" }, body: "<html>" },
      `with status 200, is not the API of ${name}`,
    ],
    [
      "takes nothing",
      { status: 422, body: '{"message":"Validation Failed","errors":[{"field":"sha"}]}' },
      'answers with status 422 (Validation Failed; [{"field":"sha"}])',
    ],
    [
      "repeats the token",
      { status: 422, body: JSON.stringify({ message: `no ${token}` }) },
      "answers with status 422 (no …)",
    ],
    [
      "commands the CI",
      { status: 422, body: '{"message":"\\u001b[2J##[error]"}' },
      "answers with status 422 (\\u{1b}[2J# #[error])",
    ],
    ["fails for ever", { status: 500 }, "answers with status 500 ("],
    ["stalls", "stalled", "no answer in time"],
  ])("a server that %s is a warning", async (_, fault, message) => {
    const forge = await useForge(name);
    forge.fault = () => fault;
    const { code, stderr } = await gate(forge, ["--timeout", "1"]);
    const lines = stderr.trimEnd().split("\n");
    expect(code).toBe(1);
    expect(lines.map((line) => line.split(" on ")[0]).sort()).toEqual([
      "warning: no comment",
      "warning: no status maturity/gate (cart)",
    ]);
    for (const line of lines) expect(line).toContain(message);
    expect(stderr).not.toContain("the token needs");
    expect((await gate(forge, ["--timeout", "1", "--min", "sast=10"])).code).toBe(0);
  });

  test("a token that is unknown, that lacks a permission, or that is missing", async () => {
    const forge = await useForge(name);
    const variable = name === "GitHub" ? "GITHUB_TOKEN" : "GITLAB_TOKEN";
    const advice =
      name === "GitHub"
        ? "set GITHUB_TOKEN to github.token in the environment of the step"
        : "put a project access token with the scope api and the role Developer into a variable GITLAB_TOKEN";
    const unknown = await gate(forge, [], { env: { [variable]: "0ther" } });
    expect(unknown.stderr.split("\n")[0]).toContain(
      `status 401 (${name === "GitHub" ? "Bad credentials" : "401 Unauthorized"}): ${advice}`,
    );
    expect(outcome(await gate(forge, [], { env: { [variable]: "" } }))).toEqual({
      code: 1,
      stderr: expect.stringContaining(`warning: no comment and no status on ${name}: ${advice}`),
    });
    for (const status of [403, 404]) {
      forge.fault = () => ({ status, body: '{"message":"Resource not accessible by integration"}' });
      const { stderr } = await gate(forge);
      const scopes =
        name === "GitHub"
          ? ["the permission pull-requests: write", "the permission statuses: write"]
          : ["the scope api and the role Developer in the project shop/cart", "the scope api"];
      for (const scope of scopes) {
        expect(stderr).toContain(`status ${status} (Resource not accessible by integration): the token needs ${scope}`);
      }
    }
    expect(forge.comments).toEqual([]);
  });

  test("a token with a line break at its end is taken, and one that cannot stand in a header is not shown", async () => {
    const forge = await useForge(name);
    const variable = name === "GitHub" ? "GITHUB_TOKEN" : "GITLAB_TOKEN";
    expect(outcome(await gate(forge, [], { env: { [variable]: `${token}\n` } }))).toEqual({ code: 1, stderr: "" });
    for (const broken of [`${token}\nx`, `${token}é`]) {
      const { stderr } = await gate(forge, [], { env: { [variable]: broken } });
      expect(stderr).toContain("its token holds white space or characters beyond ASCII");
    }
  });

  test("a list of comments without end is not read for ever, and nothing is made", async () => {
    const forge = await useForge(name, 1);
    for (let id = 1; id <= 60; id++) forge.comments.push({ id, author: "ann", body: "hello" });
    const { stderr } = await gate(forge);
    expect(stderr).toContain("has more than 50 pages of comments");
    expect(forge.comments).toHaveLength(60);
  });
});
