import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../services/scoring/test/support/postgres.ts";
import { useDirectory } from "../../../test-support/trees.ts";
import { maturity, target } from "./support/cli.ts";

const argv = ["submit", "-m", "health_check", "--raw", "enabled=true"];
const score = {
  metric: "health_check",
  score: 100,
  reasons: [],
  scorer: "x@1",
  reported_at: "2026-01-01T00:00:00.000Z",
};

/** Stands for the service, and for GitHub at /token; remembers who asked for what, until the report came and `after` it. */
async function useServer(answerToken: (request: IncomingMessage, count: number) => object | number = () => 404) {
  const seen: { readonly url: string; readonly authorization: string | undefined; readonly agent: string }[] = [];
  const after: typeof seen = [];
  let asked = 0;
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    const phase = seen.some((one) => one.url === "/score") ? after : seen;
    phase.push({ url, authorization: headers.authorization, agent: headers["user-agent"] ?? "" });
    const answer = url.startsWith("/token") ? answerToken(request, ++asked) : score;
    if (typeof answer === "number") response.writeHead(answer).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ...target, MATURITY_URL: uri };
  const github = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${uri}/token?api-version=2`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "hunter2",
  };
  return { seen, after, env, github };
}

describe("the token comes from", () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ["nowhere", {}, undefined],
    ["MATURITY_TOKEN", { MATURITY_TOKEN: "a" }, "Bearer a"],
    ["a variable that ends in a line feed, as secrets often do", { MATURITY_TOKEN: "a\n" }, "Bearer a"],
    ["MATURITY_ID_TOKEN", { MATURITY_ID_TOKEN: "b" }, "Bearer b"],
    ["the first of both", { MATURITY_TOKEN: "a", MATURITY_ID_TOKEN: "b" }, "Bearer a"],
    ["an empty variable is none", { MATURITY_TOKEN: "", MATURITY_ID_TOKEN: "b" }, "Bearer b"],
  ])("%s", async (_, variables, authorization) => {
    const { seen, after, env } = await useServer();
    expect((await maturity(argv, { env: { ...env, ...variables } })).code).toBe(0);
    expect(seen).toEqual([{ url: "/score", authorization, agent: "maturity-cli/0.1.0" }]);
    const asked = Object.fromEntries(after.map(({ url, authorization }) => [url.split("?")[0], authorization]));
    expect(asked).toEqual({ "/apps": authorization, "/board/": undefined });
  });

  test("a file, before all else", async () => {
    const { seen, env } = await useServer();
    const cwd = await useDirectory();
    await writeFile(join(cwd, "token"), "from-file\n");
    await maturity([...argv, "--token-file", "token"], { cwd, env: { ...env, MATURITY_TOKEN: "a" } });
    expect(seen.map(({ authorization }) => authorization)).toEqual(["Bearer from-file"]);
    const missing = await maturity([...argv, "--token-file", "gone"], { cwd, env });
    expect(missing).toMatchObject({
      code: 2,
      stderr: "maturity: the token file gone cannot be read: there is no such file\n",
    });
  });
});

describe("GitHub Actions", () => {
  test("gives an ID token for the audience, which only the service sees", async () => {
    const { seen, env, github } = await useServer(() => ({ value: "id-token" }));
    const result = await maturity([...argv, "--audience", "a&b"], { env: { ...env, ...github } });
    expect(result.code).toBe(0);
    expect(seen).toMatchObject([
      { url: "/token?api-version=2&audience=a%26b", authorization: "bearer hunter2" },
      { url: "/score", authorization: "Bearer id-token" },
    ]);
    expect(result.stdout + result.stderr).not.toMatch(/id-token|hunter2/);
  });

  test("is asked for the default audience, and again after a pause when it fails", async () => {
    const { seen, env, github } = await useServer((_, count) => (count < 3 ? 500 : { value: "id-token" }));
    const { code, stderr } = await maturity(argv, { env: { ...env, ...github } });
    expect(code).toBe(0);
    expect(seen.map(({ url }) => url)).toEqual([...Array(3).fill("/token?api-version=2&audience=maturity"), "/score"]);
    const pauses = [...stderr.matchAll(/gave no ID token: status 500; trying again in (\d\.\d) s/g)];
    expect(pauses.map(([, pause]) => Number(pause) >= 0.3)).toEqual([true, true]);
  });

  test("is not asked where a token is given", async () => {
    const { seen, env, github } = await useServer();
    await maturity(argv, { env: { ...env, ...github, MATURITY_TOKEN: "a" } });
    expect(seen.map(({ url }) => url)).toEqual(["/score"]);
  });

  test.each<[string, object | number, string]>([
    ["a refusal", 403, "status 403"],
    ["another answer", { count: 0 }, "an answer without a token, with status 200"],
  ])("that gives %s in place of a token is asked once, and said without a secret", async (_, answer, came) => {
    const { seen, env, github } = await useServer(() => answer);
    expect(await maturity([...argv, "--soft-fail"], { env: { ...env, ...github } })).toEqual({
      code: 3,
      stdout: "",
      stderr: `maturity: GitHub Actions gave no ID token: ${came}; has the job the permission id-token: write?\n`,
    });
    expect(seen).toHaveLength(1);
  });

  test("that gives none within the time limit is unreachable", async () => {
    const { env, github } = await useServer(() => 503);
    const { code, stderr } = await maturity([...argv, "--timeout", "1"], { env: { ...env, ...github } });
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringMatching(/^maturity: GitHub Actions gave no ID token: status 503 \(\d attempts\)$/m),
    });
  });

  test("that does not answer is said by its address", async () => {
    const { env, github } = await useServer();
    const address = `http://127.0.0.1:${await freePort()}`;
    const away = { ...github, ACTIONS_ID_TOKEN_REQUEST_URL: `${address}/token` };
    const { code, stderr } = await maturity([...argv, "--timeout", "1"], { env: { ...env, ...away } });
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining(`maturity: GitHub Actions gave no ID token: cannot reach ${address}: `),
    });
  });
});
