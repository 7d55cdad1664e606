import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@maturity/client";
import { boardAddress } from "@maturity/run-summary/standing";
import { describe, expect, test } from "vitest";
import { makeKnown } from "../../../services/scoring/test/support/known-names.ts";
import { useTree } from "../../../test-support/trees.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const target = { area: "shop", team: "checkout", app: "cart", env: "prod" } as const;
const flag = (enabled: boolean) => ["submit", "-m", "health_check", "-r", `enabled=${enabled}`];
const afterStored = (stdout: string) => stdout.slice(stdout.indexOf("stored for")).trimEnd().split("\n").slice(1);

describe("after a report", () => {
  test("shows what to fix first, and where to look", async () => {
    await createClient({ url: service.url }).submitAll([
      { ...target, scorecard: "security", metric: "sast", raw: { critical: 0, high: 4, medium: 0 } },
      { ...target, scorecard: "reliability", metric: "sla", raw: { availability_pct: 100 } },
    ]);
    const { stdout, stderr } = await service.maturity(flag(false));
    expect({ said: afterStored(stdout), stderr }).toEqual({
      said: [
        "the application scores 57.5; fix first: health_check 0 → 100 gains 25.0 points",
        `${service.url}/board/?env=prod&area=shop&team=checkout&app=cart`,
      ],
      stderr: "",
    });
    expect(afterStored((await service.maturity(flag(true))).stdout).slice(0, 2)).toEqual([
      "the application scores 82.5; fix first: sast 50 → 100 gains 17.5 points",
      "next step: sast high 4 → 3 gains 3.3 points",
    ]);
  });

  test("looks in the same place where white space stands around the address", async () => {
    const app = ["--app", "spaced"];
    expect(await service.maturity([...flag(true), ...app, "--url", ` ${service.url}\t`])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`\n${service.url}/board/?env=prod&area=shop&team=checkout&app=spaced\n`),
    });
  });

  test("names the place where it is stored of an application that has moved", async () => {
    const cart = { area: "moved", team: "checkout", app: "cart" };
    const argv = [...flag(true), "--area", "moved"];
    await service.maturity(argv);
    await createClient({ url: service.url }).move({ from: cart, to: { ...cart, app: "basket" } });
    const note = "moved / checkout / cart is called moved / checkout / basket now: change the name in the pipeline";
    const cwd = await useTree({});
    const { stdout, stderr } = await service.maturity([...argv, "--summary", "summary.md"], {}, { cwd });
    expect(stderr).toBe(`note: ${note}\n`);
    expect(stdout).toContain("stored for moved / checkout / basket / prod\n");
    expect(stdout).toContain("&app=basket\n");
    const summary = await readFile(join(cwd, "summary.md"), "utf8");
    expect(summary).toContain("`moved` / `checkout` / `basket` / `prod`");
    expect(summary).toContain(note);
    const problem = [
      "problem",
      "report",
      "--type",
      "leak",
      "--count",
      "0",
      "--area",
      "moved",
      "--summary",
      "problem.md",
    ];
    expect((await service.maturity(problem, {}, { cwd })).stderr).toBe(`note: ${note}\n`);
    expect(await readFile(join(cwd, "problem.md"), "utf8")).toContain("`moved` / `checkout` / `basket` / `prod`");
  });

  test("says of an application that is new when its score is there", async () => {
    await createClient({ url: service.url }).apps().page(); // the next reading is up to 15 seconds away
    const { stdout } = await service.maturity([...flag(true), "--area", "new"]);
    expect(afterStored(stdout)).toEqual([
      "a new application has its score within 15 seconds",
      `${service.url}/board/?env=prod&area=new&team=checkout&app=cart`,
    ]);
  });

  test("says nothing to a dry run", async () => {
    const { stdout } = await service.maturity([...flag(true), "--dry-run"]);
    expect(stdout).toMatch(/nothing was sent \(--dry-run\); it would be for shop \/ checkout \/ cart \/ prod\n$/);
  });

  const answering = (answer: (path: string) => Promise<Response> | Response) => async (request: Request) => {
    const { pathname } = new URL(request.url);
    return pathname === "/score" ? globalThis.fetch(request) : answer(pathname);
  };

  test.each<[string, (path: string) => Promise<Response> | Response]>([
    ["the token may not read, and there is no Board", () => new Response("{}", { status: 404 })],
    ["the connection breaks", () => Promise.reject(new TypeError("fetch failed"))],
    ["something else answers", () => new Response("<html>", { status: 500, headers: { "content-type": "text/html" } })],
    ["the answer is no list", () => Response.json({ items: 1 }, { status: 200 })],
  ])("the result is stored, whatever happens: %s", async (what, answer) => {
    const { code, stdout } = await service.maturity(flag(true), {}, { fetch: answering(answer) });
    expect({ code, said: afterStored(stdout) }).toEqual({
      code: 0,
      said: what === "the answer is no list" ? [expect.stringContaining("/board/?")] : [],
    });
  });

  test.each([401, 403])("a Board where one has to log in first is linked to (%i)", async (status) => {
    const fetch = answering((path) => new Response("", { status: path === "/board/" ? status : 404 }));
    const { stdout } = await service.maturity(flag(true), {}, { fetch });
    expect(afterStored(stdout)).toEqual([`${service.url}/board/?env=prod&area=shop&team=checkout&app=cart`]);
  });
});

describe("an application of which everything is waived", () => {
  const other = listeningService();

  test("has no score, and it is said why", async () => {
    await makeKnown(other, { area: "waived" });
    await createClient({ url: other.url }).waive({
      ...{ kind: "not_applicable", area: "waived", scorecard: "application" },
      ...{ reason: "no service", owner: "ann" },
    });
    const cwd = await useTree({});
    const argv = [...flag(true), "--area", "waived", "--summary", "summary.md"];
    const { stdout } = await other.maturity(argv, {}, { cwd });
    const sentence = "application has no score, since all that it reported is waived";
    expect(afterStored(stdout)[0]).toBe(`the ${sentence}`);
    expect(await readFile(join(cwd, "summary.md"), "utf8")).toContain(`\nThe ${sentence}.\n`);
  });
});

describe("an application that is exempt from all that it reported", () => {
  const ruled = listeningService({ applies: [{ scorecard: "application", from: "2999-01-01" }] });

  test("has no score, and it is said why", async () => {
    const cwd = await useTree({});
    const cause = "all that it reported is exempt by the policy";
    const { stdout } = await ruled.maturity([...flag(true), "--summary", "summary.md"], {}, { cwd });
    expect(afterStored(stdout)[0]).toBe(`the application has no score, since ${cause}`);
    expect(await readFile(join(cwd, "summary.md"), "utf8")).toContain(
      `\nThe application has no score, since ${cause}.\n`,
    );
    const gate = await ruled.maturity(["gate", "--app-min", "0", ...flag(true).slice(1)]);
    expect(gate).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`\nthe application has no score, since ${cause}\n`),
    });
    const status = await ruled.maturity(["status"]);
    expect(status.stdout).toMatch(new RegExp(`\n${cause}, so it has no score\nreported 0 %, fresh 0 %, exempt 25 %\n`));
    expect(status.stdout).toMatch(/^SCORECARD .* FRESH +EXEMPT\n(?:.*\n)*application +- +25 +- +- +100 %\n/m);
  });

  test("or waived, says both", async () => {
    const where = { area: "shop", scorecard: "security" };
    await createClient({ url: ruled.url }).waive({ ...where, kind: "not_applicable", reason: "no code", owner: "ann" });
    expect((await ruled.maturity(["status"])).stdout).toContain(
      "\nall that it reported is waived or exempt by the policy, so it has no score\n",
    );
  });
});

test.each([
  ["https://maturity.example.com", "https://maturity.example.com/board/?env=prod&area=shop&team=checkout&app=cart"],
  ["https://example.com/maturity/", "https://example.com/maturity/board/?env=prod&area=shop&team=checkout&app=cart"],
  ["https://ann:secret@example.com/m", "https://example.com/m/board/?env=prod&area=shop&team=checkout&app=cart"],
])("the Board of %s is at %s", (url, board) => {
  expect(boardAddress(url, target)).toBe(board);
});

test("names of any kind stay in the query of the Board's address", () => {
  const { searchParams, pathname } = new URL(boardAddress("https://a.example", { ...target, app: "a&env=x#?/\u202e" }));
  expect([pathname, searchParams.get("app"), searchParams.getAll("env")]).toEqual([
    "/board/",
    "a&env=x#?/\u202e",
    ["prod"],
  ]);
});
