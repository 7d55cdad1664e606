import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@maturity/client";
import { widthOf } from "@maturity/command-line/text-width";
import { beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../../../services/scoring/src/auth/token.ts";
import { insertToken } from "../../../services/scoring/src/auth/tokens.ts";
import type { Scope } from "../../../services/scoring/src/model/grant.ts";
import { makeKnown } from "../../../services/scoring/test/support/known-names.ts";
import { repository } from "../../../services/scoring/test/support/markdown.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const dayMs = 86_400_000;
const why = ["--reason", "new staging in spring", "--owner", "ann"];

/** The waivers of an area, as the service lists them. */
const stored = (area: string) => createClient({ url: service.url }).waivers({ area, all: true }).toArray();

describe("maturity waiver list", () => {
  beforeAll(async () => {
    await makeKnown(service, { area: "list", team: "checkout", app: "cart" });
    const client = createClient({ url: service.url });
    const make = (of: object, days?: number) =>
      client.waive({
        ...{
          kind: days === undefined ? "not_applicable" : "accepted",
          area: "list",
          reason: "a long reason for it",
          owner: "ann",
        },
        ...(days !== undefined && { expires_at: new Date(Date.now() + days * dayMs + 60_000).toISOString() }),
        ...of,
      });
    await make({ team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "dast" }, 30);
    await make({ team: "checkout", scorecard: "reliability" });
    await make({ problem_type: "old_base_image", owner: "bob" }, 3);
    const { id } = await make({ team: "checkout", scorecard: "security", metric: "sast" }, 5);
    await client.revokeWaiver(id);
  });

  /** The rows of a table without ids, blanks squeezed. */
  const table = async (...argv: string[]) => {
    const { stdout } = await service.maturity(["waiver", "list", "--area", "list", ...argv]);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/ +/g, " ").replace(/^[\da-f]{8} /, ""));
  };

  test("are listed, those that end first at the top", async () => {
    expect(await table()).toEqual([
      " ID ENDS WHAT OF KIND OWNER REASON",
      "in 3 days problem old_base_image list accepted bob a long reason for it",
      "in 30 days dast list / checkout / cart / prod accepted ann a long reason for it",
      "never reliability, all of it list / checkout not applicable ann a long reason for it",
    ]);
  });

  test.each<[string[], string[]]>([
    [["--metric", "dast"], ["dast"]],
    [["--scorecard", "reliability"], ["reliability,"]],
    [["--problem", "old_base_image"], ["problem"]],
    [["--owner", "bob"], ["problem"]],
    [["--kind", "not_applicable"], ["reliability,"]],
    [["--team", "other"], ["problem"]],
    [["--limit", "1"], ["problem"]],
  ])("are narrowed by %j", async (argv, what) => {
    const rows = await table(...argv);
    expect(rows.slice(1).map((row) => row.replace(/^(?:in \d+ days|never) /, "").split(" ")[0])).toEqual(what);
  });

  test("show, with --all, who revoked what", async () => {
    expect(await table("--all", "--metric", "sast")).toEqual([
      expect.any(String),
      "revoked 1 minute ago sast list / checkout accepted ann a long reason for it",
    ]);
  });

  test("fit a terminal, with ids that are whole enough to revoke", async () => {
    const { stdout } = await service.maturity(
      ["waiver", "list", "--area", "list"],
      {},
      { isTTY: true, columns: 70, env: { NO_COLOR: "1" } },
    );
    const [, ...lines] = stdout.trimEnd().split("\n");
    for (const line of lines) {
      expect(widthOf(line)).toBeLessThanOrEqual(70);
      expect(line).toMatch(/^[\da-f]{8} {2}/);
    }
  });

  test("are JSON and CSV as the service sends them", async () => {
    const { stdout } = await service.maturity(["waiver", "list", "--area", "list", "--ndjson"]);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).owner),
    ).toEqual(["bob", "ann", "ann"]);
    const csv = await service.maturity(["waiver", "list", "--area", "list", "--csv"]);
    expect(csv.stdout.split("\r\n")[0]).toMatch(/^id,kind,area,team/);
  });

  test("of none says so", async () => {
    expect((await service.maturity(["waiver", "list", "--area", "nobody"])).stdout).toBe(
      "no waivers match the flags\n",
    );
  });
});

describe("maturity waiver revoke", () => {
  const make = async (area: string) => {
    await makeKnown(service, { area });
    const { stdout } = await service.maturity([
      "waiver",
      "add",
      "--yes",
      "--area",
      area,
      "-m",
      "dast",
      "--for",
      "1d",
      ...why,
      "--json",
    ]);
    return JSON.parse(stdout).id as string;
  };

  test("ends a waiver by as much of its id as the list shows", async () => {
    const id = await make("revoke");
    const { code, stdout } = await service.maturity(["waiver", "revoke", "--yes", id.slice(0, 8).toUpperCase()]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "revoked: dast of revoke counts again unless another waiver covers it\n",
    });
    expect(await stored("revoke")).toMatchObject([{ id, revoked_at: expect.any(String) }]);
  });

  test("says of a problem that it alerts again, since it never counted", async () => {
    await makeKnown(service, { area: "alerts" });
    const argv = [
      "waiver",
      "add",
      "--yes",
      "--area",
      "alerts",
      "--problem",
      "old_base_image",
      "--for",
      "1d",
      ...why,
      "--json",
    ];
    const { id } = JSON.parse((await service.maturity(argv)).stdout);
    expect((await service.maturity(["waiver", "revoke", "--yes", id])).stdout).toBe(
      "revoked: problem old_base_image of alerts alerts again unless another waiver covers it\n",
    );
  });

  test("says of a waiver that has ended that nothing was left to revoke", async () => {
    const id = await make("ended");
    await service.database.knex.raw(
      "UPDATE waivers SET decided_at = decided_at - interval '2 days', expires_at = now() - interval '1 day' WHERE id = ?",
      [id],
    );
    expect((await service.maturity(["waiver", "revoke", "--yes", id])).stdout).toBe(
      "had ended already: dast of ended\n",
    );
  });

  test("finds one that has ended by what the list of all shows", async () => {
    const id = await make("shown");
    await service.maturity(["waiver", "revoke", "--yes", id]);
    const { stdout } = await service.maturity(["waiver", "list", "--all", "--area", "shown"]);
    const [shown = ""] = /^[\da-f]{8}(?= )/m.exec(stdout) ?? [];
    expect(await service.maturity(["waiver", "revoke", "--yes", shown])).toMatchObject({ code: 0 });
  });

  test("takes a whole id without looking for it", async () => {
    const id = await make("whole");
    const asked: string[] = [];
    const fetch = (request: Request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return globalThis.fetch(request);
    };
    expect((await service.maturity(["waiver", "revoke", "--yes", id], {}, { fetch })).code).toBe(0);
    expect(asked).toEqual([`DELETE /waivers/${id}`]);
  });

  test.each<[string, string[], number, string]>([
    ["no id", [], 2, "missing required argument 'id'"],
    ["what is no id", ["dast"], 2, '"dast" is no id of a waiver'],
    ["an id of nothing", ["00000000"], 2, "no waiver has an id that begins with 00000000"],
    ["a whole id of nothing", ["00000000-0000-0000-0000-000000000000"], 3, "there is no waiver with the id"],
  ])("refuses %s", async (_, argv, code, message) => {
    const result = await service.maturity(["waiver", "revoke", "--yes", ...argv]);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code, stderr: expect.stringContaining(message) });
  });

  test("says which waivers begin alike", async () => {
    const items = ["abcd0000-0000-0000-0000-000000000001", "abcd0000-0000-0000-0000-000000000002"].map((id) => ({
      id,
    }));
    const answer = async () => Response.json({ as_of: new Date().toISOString(), items, next: null, total: 2 });
    const { code, stderr } = await service.maturity(["waiver", "revoke", "--yes", "abcd"], {}, { fetch: answer });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("several waivers begin with abcd: abcd0000-"),
    });
  });
});

describe("with a token", () => {
  const guarded = listeningService({ auth: "token" });
  beforeAll(() => makeKnown(guarded, { area: "shop" }));
  const tokenOf = async (...scopes: Scope[]) => {
    const token = createToken();
    const grant = { name: scopes.join(" "), hash: hashToken(token), scopes, bounds: { area: "shop" } };
    await insertToken(guarded.database.knex, grant);
    return { env: { MATURITY_TOKEN: token } };
  };

  test("of the security office in docs/access.md, what it made can be listed, and revoked as either shows", async () => {
    const page = await readFile(join(repository, "docs/access.md"), "utf8");
    const [line = ""] = /^.*token create --name "security office".*$/m.exec(page) ?? [];
    const scopes = [...line.matchAll(/--scope (\S+)/g)].map(([, scope]) => scope as Scope);
    const options = await tokenOf(...scopes);
    const waive = () =>
      guarded.maturity(["waiver", "add", "--yes", "--area", "shop", "-m", "dast", "--for", "1d", ...why], {}, options);
    const [, hint = ""] = /^maturity (.*) ends it early$/m.exec((await waive()).stdout) ?? [];
    expect(await guarded.maturity([...hint.split(" "), "--yes"], {}, options)).toMatchObject({ code: 0 });
    await waive();
    const { stdout } = await guarded.maturity(["waiver", "list"], {}, options);
    const [shown = ""] = /^[\da-f]{8}(?= )/m.exec(stdout) ?? [];
    expect(await guarded.maturity(["waiver", "revoke", "--yes", shown], {}, options)).toMatchObject({ code: 0 });
  });

  test("that cannot read, what it made can be revoked as it was shown, and a part of an id says what is missing", async () => {
    const options = await tokenOf("waiver:write");
    const made = await guarded.maturity(
      ["waiver", "add", "--yes", "--area", "shop", "-m", "dast", "--for", "1d", ...why],
      {},
      options,
    );
    const [, hint = ""] = /^maturity (.*) ends it early$/m.exec(made.stdout) ?? [];
    expect(await guarded.maturity(["waiver", "revoke", "--yes", "0195e1f4"], {}, options)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /it needs read or admin; to look for an id by its beginning, which the whole id does not need$/m,
      ),
    });
    expect(await guarded.maturity([...hint.split(" "), "--yes"], {}, options)).toMatchObject({ code: 0 });
  });
});
