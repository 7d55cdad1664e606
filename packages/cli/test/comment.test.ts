import { describe, expect, test } from "vitest";
import { type CliOptions, maturity, target } from "./support/cli.ts";
import { gate, outcome } from "./support/commented-gate.ts";
import { bot, eventFile, useForge } from "./support/forges.ts";
import { sast } from "./support/gated-service.ts";

const isComment = ({ path }: { path: string }) => /comments|notes/.test(path);

describe.each(["GitHub", "GitLab"] as const)("on %s", (name) => {
  test("a gate makes one comment and one status, and the next run edits the comment", async () => {
    const forge = await useForge(name);
    expect(outcome(await gate(forge))).toEqual({ code: 1, stderr: "" });
    const [comment] = forge.comments;
    const run =
      name === "GitHub"
        ? "github.example.com/shop/cart/actions/runs/9/attempts/1"
        : "gitlab.example.com/shop/cart/-/pipelines/9";
    expect(comment?.body).toMatch(
      /^<!-- maturity [\da-f]{32} -->\n### Maturity: gate not met\n\n`shop` \/ `checkout` \/ `cart` \/ `prod`\n/,
    );
    expect(comment?.body).toContain("\n- ❌ at least 60: not met\n");
    expect(comment?.body).toContain("\n| `sast` |  | 50 |  |\n");
    expect(comment?.body).toContain(`<sub>of commit \`1234567890ab\`, by [this run](<https://${run}>)</sub>`);
    expect(forge.statuses).toMatchObject([
      {
        sha: "1234567890abcdef1234567890abcdef12345678",
        body:
          name === "GitHub"
            ? {
                ...{ state: "failure", context: "maturity/gate (cart)", target_url: `https://${run}` },
                description: "gate not met: at least 60",
              }
            : {
                ...{ state: "failed", name: "maturity/gate (cart)", target_url: `https://${run}`, pipeline_id: 9 },
                description: "gate not met: at least 60",
              },
      },
    ]);
    expect((await gate(forge, ["--min", "sast=10"])).code).toBe(0);
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.body).toContain("### Maturity: gate met\n");
    expect(forge.statuses.at(-1)?.body).toMatchObject({ state: "success" });
  });

  test.each<[string, readonly string[], number, string]>([
    ["reads no report", ["gone.json"], 2, "gone.json cannot be read: there is no such file"],
    ["gets no answer", ["--no-worse", "--soft-fail", "--timeout", "1"], 0, "cannot reach http://service.test: refused"],
    ["is called wrongly", ["--max-age", "x"], 2, "--max-age must be hours or days, such as 12h or 7d"],
  ])("a gate that %s is shown in place of an earlier outcome", async (_, more, code, message) => {
    const forge = await useForge(name);
    await gate(forge, ["--min", "sast=10"]);
    const fetch: CliOptions["fetch"] = async (request) => {
      if (request.url.startsWith("http://service.test")) throw new TypeError("refused");
      return globalThis.fetch(request);
    };
    const env = { MATURITY_URL: "http://service.test" };
    expect(await gate(forge, ["--min", "sast=10", ...more], { env, fetch })).toMatchObject({ code });
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.body).toContain("### Maturity: the run failed\n");
    const letters = forge.comments[0]?.body.replaceAll(/&#(\d+);/g, (_, point) => String.fromCodePoint(point));
    expect(letters).toContain(message);
    const state = name === "GitHub" ? "failure" : "failed";
    const description = expect.stringContaining(`the run failed: ${message}`);
    expect(forge.statuses.at(-1)?.body).toMatchObject({ state, description });
  });

  test("nothing is shown where the application is unknown", async () => {
    const forge = await useForge(name);
    expect((await gate(forge, [], { env: { MATURITY_APP: "" } })).code).toBe(2);
    expect(forge.asked).toEqual([]);
  });

  test("each application, environment and name has its own", async () => {
    const forge = await useForge(name);
    for (const more of [[], ["--app", "search"], ["--env", "test"], ["--comment-name", "nightly"], []]) {
      await gate(forge, more);
    }
    expect(forge.comments).toHaveLength(4);
    const names = forge.statuses.map(({ body }) => body.context ?? body.name);
    expect(names.slice(0, 4)).toEqual([
      "maturity/gate (cart)",
      "maturity/gate (search)",
      "maturity/gate (cart)",
      "maturity/nightly (cart)",
    ]);
  });

  test("it is found on a later page, and what says nothing new is not written again", async () => {
    const forge = await useForge(name, 3);
    for (let id = 1; id <= 7; id++) forge.comments.push({ id, author: "ann", body: "hello" });
    await gate(forge);
    await gate(forge);
    expect(forge.comments).toHaveLength(8);
    expect(forge.asked.filter((asked) => isComment(asked) && asked.method !== "GET")).toHaveLength(1);
  });

  test("a comment of somebody else with the same marker stays as it is", async () => {
    const forge = await useForge(name);
    await gate(forge);
    const [own] = forge.comments.splice(0);
    const theirs = { id: 1, author: "ann", body: own?.body ?? "" };
    forge.comments.push(theirs, { id: 2, author: bot, body: `> ${own?.body}` });
    await gate(forge, ["--min", "sast=10"]);
    expect(forge.comments).toHaveLength(3);
    expect(theirs.body).toBe(own?.body);
    expect(forge.comments[2]?.body).toContain("gate met");
  });

  test("two runs that both find none leave one comment", async () => {
    const forge = await useForge(name);
    let listed = 0;
    let release = () => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    forge.fault = async (asked) => {
      if (!isComment(asked) || asked.method !== "POST") return undefined;
      if (++listed === 2) release();
      await both;
    };
    await Promise.all([gate(forge), gate(forge, ["--min", "sast=10"])]);
    expect(listed).toBe(2);
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.id).toBe(1);
  });

  test("a comment whose answer is lost is not made twice", async () => {
    const forge = await useForge(name);
    let lost = 0;
    forge.fault = (asked) => (isComment(asked) && asked.method === "POST" && lost++ === 0 ? "lost" : undefined);
    expect(outcome(await gate(forge))).toEqual({ code: 1, stderr: "" });
    expect(forge.comments).toHaveLength(1);
  });

  test("names are letters in the comment and in the status", async () => {
    const forge = await useForge(name);
    const app = "--> @team #12 | `x` <img src=x>";
    await gate(forge, [`--app=${app}`]);
    const [comment] = forge.comments;
    expect(comment?.body.match(/-->/g)).toHaveLength(1); // the end of the marker
    expect(comment?.body).toContain("<code>&#45;&#45;&#62; &#64;team &#35;12");
    expect(forge.statuses[0]?.body).toMatchObject({ description: "gate not met: at least 60" });
  });
});

describe("on GitHub", () => {
  test("a run of a fork may only read, which is said", async () => {
    const forge = await useForge("GitHub");
    forge.fault = ({ method, path }) =>
      method === "GET" || path.endsWith("graphql")
        ? undefined
        : { status: 403, body: '{"message":"Resource not accessible by integration"}' };
    const { code, stderr } = await gate(forge, [], { env: { GITHUB_EVENT_PATH: await eventFile("eve/cart") } });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        "warning: no comment on pull request 7 on GitHub: GitHub answers with status 403 (Resource not accessible by integration): the pull request comes from the fork eve/cart, and there a run may only read; the gate alone decides\n",
      ),
    });
    const deleted = await gate(forge, [], { env: { GITHUB_EVENT_PATH: await eventFile("") } });
    expect(deleted.stderr).toContain("comes from the fork that is deleted");
  });

  test.each([
    ["push", {}],
    ["pull_request", { GITHUB_EVENT_PATH: "/nothing/there" }],
  ])("a run of %s without a pull request sets the status alone", async (event, env) => {
    const forge = await useForge("GitHub");
    expect(outcome(await gate(forge, [], { env: { GITHUB_EVENT_NAME: event, ...env } }))).toEqual({
      code: 1,
      stderr: "note: no comment: this run is of no pull request\n",
    });
    expect(forge.statuses).toMatchObject([{ sha: "f".repeat(40) }]);
  });

  test("GitHub itself is asked where no other server is named", async () => {
    const forge = await useForge("GitHub");
    const asked = new Set<string>();
    const fetch = async ({ url }: Request) => {
      asked.add(new URL(url).host + new URL(url).pathname);
      return new Response("{}", { status: 404 });
    };
    await gate(forge, [], { env: { GITHUB_API_URL: "" }, fetch });
    expect([...asked].sort()).toEqual([
      "api.github.com/graphql",
      "api.github.com/repos/shop/cart/statuses/1234567890abcdef1234567890abcdef12345678",
    ]);
  });
});

describe("on GitLab", () => {
  test.each([
    [
      "of a fork's pipeline, in the project that it would change",
      { CI_PROJECT_ID: "5" },
      "/api/v4/projects/3/merge_requests/7/notes",
    ],
    [
      "of a branch, in its first open one",
      { CI_MERGE_REQUEST_IID: "", CI_OPEN_MERGE_REQUESTS: "shop/cart!8,shop/cart!9" },
      "/api/v4/projects/shop%2Fcart/merge_requests/8/notes",
    ],
  ])("the merge request %s", async (_, env, path) => {
    const forge = await useForge("GitLab");
    await gate(forge, [], { env });
    expect(forge.asked.map((asked) => asked.path)).toContain(path);
  });

  test("a pipeline without a merge request sets the status alone", async () => {
    const forge = await useForge("GitLab");
    const { stderr } = await gate(forge, [], { env: { CI_MERGE_REQUEST_IID: "" } });
    expect(stderr).toBe("note: no comment: this pipeline is of no merge request\n");
    expect(forge.statuses).toHaveLength(1);
  });
});

test.each([
  [{ BITBUCKET_BUILD_NUMBER: "1" }, "this run is of Bitbucket Pipelines"],
  [{}, "this is a run of neither"],
])("no other CI is known: %j", async (env, text) => {
  expect(outcome(await gate({ env }))).toEqual({
    code: 1,
    stderr: `warning: --comment knows GitHub Actions and GitLab CI, and ${text}: no comment and no status\n`,
  });
});

test.each([
  [
    ["submit", "--comment", ...sast(4)],
    "--min, --max-age, --no-worse, --max-drop, --app-min, --no-new-problems and --comment need --gate",
  ],
  [
    ["gate", "--min", "1", "--comment", "--comment-name", "a b", ...sast(4)],
    "--comment-name must be 1 to 40 letters, digits, dots, hyphens and underscores",
  ],
])("%j is refused", async (argv, message) => {
  const env = { ...target, MATURITY_URL: "http://127.0.0.1:1" };
  expect(await maturity(argv, { env })).toMatchObject({ code: 2, stderr: `maturity: ${message}\n` });
});
