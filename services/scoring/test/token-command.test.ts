import { Writable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OperatorError } from "../src/model/errors.ts";
import { startService, type TestService } from "./support/service.ts";
import { runOn, runWithoutSettings } from "./support/service-command.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ auth: "token" });
});
afterAll(() => service.stop());

const now = new Date("2026-01-15T12:00:00Z");
const run = (...args: string[]) => runOn(service.database, ["token", ...args], { now });

test("a token is made, works, is listed without its secret, and revoked", async () => {
  const made = await run(
    "create",
    "--name",
    "ci",
    "--scope",
    "metrics:read",
    "--scope",
    "score:write",
    "--area",
    'a "b"',
  );
  const [, id, token] = /^Token (\d+), shown only once:\n\n(maturity_\w+)\n$/.exec(made) ?? [];
  const scrape = await service.server.inject({ url: "/metrics", headers: { authorization: `Bearer ${token}` } });
  expect(scrape.statusCode).toBe(200);
  const listed = await run("list");
  expect(listed).toMatch(/^ID +NAME +SCOPES +BOUND TO +CREATED +EXPIRES +STATE\n/);
  expect(listed).toMatch(/^\d+ +ci +metrics:read,score:write +area="a \\"b\\"" +\d{4}-\d\d-\d\d +never +good$/m);
  expect(listed).not.toContain(token);
  expect(await run("revoke", String(id))).toContain(`Token ${id} is revoked`);
  expect(await run("list")).toMatch(/ +revoked$/m);
});

test("a token that cannot be printed is not made", async () => {
  const stdout = new Writable({ write: (_, __, done) => done(Object.assign(new Error("full"), { code: "ENOSPC" })) });
  const args = ["token", "create", "--name", "lost", "--scope", "admin"];
  await expect(runOn(service.database, args, { now, stdout })).rejects.toThrow("full");
  expect(await run("list")).not.toContain("lost");
  expect(JSON.stringify((await service.database.knex.raw("SELECT details FROM audit")).rows)).not.toContain("lost");
});

test("a token can expire", async () => {
  await run("create", "--name", "short", "--scope", "read", "--expires", "30");
  expect(await run("list")).toMatch(/short +read +- +\d{4}-\d\d-\d\d +2026-02-14 +good$/m);
  const later = new Date("2026-02-14T12:00:00Z");
  expect(await runOn(service.database, ["token", "list"], { now: later })).toMatch(/short .* expired$/m);
});

test("a scope that is given twice is kept once", async () => {
  await run("create", "--name", "twice", "--scope", "read", "score:write", "--scope", "read");
  expect(await run("list")).toMatch(/twice +read,score:write +-/);
});

const good = ["create", "--name", "x", "--scope", "read"];
const mustNotStandBeside = (reporting: string) =>
  `--scope: waiver:write must not stand beside ${reporting}: a token that reports must not waive; make another token for waivers`;

test.each<[args: string[], reason: string, usage?: string]>([
  [[], "Usage: maturity-service token", "create [options]"],
  [["make"], "unknown command 'make'", "create [options]"],
  [["list", "5"], "too many arguments for 'list'. Expected 0 arguments", "token list"],
  [["create", "--scope", "read"], "required option '--name <name>' not specified", "--name <name> "],
  [["create", "--name", "x"], "required option '--scope <scope...>' not specified", '(choices: "score:write"'],
  [
    ["create", "--name", "x", "--scope="],
    "'--scope <scope...>' argument '' is invalid. Allowed choices are score:write",
  ],
  [["create", "--name", "x", "--scope", "write"], "argument 'write' is invalid. Allowed choices are score:write"],
  [[...good, "--app", "cart\u200b"], "'--app <app>' argument 'cart\\u{200b}' is invalid. It must not hold U+200B"],
  [[...good, "--area", " shop"], "'--area <area>' argument ' shop' is invalid. It must be a text of 1 to 200"],
  [[...good, "--name", "a\u001b[2J"], "'--name <name>' argument 'a\\u{1b}[2J' is invalid. It must not hold U+001B"],
  [[...good, "--name", "a\nb"], "It must not hold U+000A"],
  [
    [...good, "--expires", "soon"],
    "'--expires <days>' argument 'soon' is invalid. It must be a number of days from 1 to",
  ],
  [[...good, "waiver:write", "score:write"], mustNotStandBeside("score:write")],
  [[...good, "--scope", "waiver:write", "--scope", "problem:write"], mustNotStandBeside("problem:write")],
  [[...good, "admin", "waiver:write", "score:write"], mustNotStandBeside("score:write")],
  [[...good, "--colour", "red"], "unknown option '--colour'"],
  [[...good, "--nmae", "y"], "unknown option '--nmae'\n(Did you mean --name?)"],
  [["revoke"], "missing required argument 'id'", "token revoke"],
  [["revoke", "x"], "'x' is invalid for argument 'id'. It must be a number that token list shows", "token revoke"],
  [["revoke", "1", "2"], "too many arguments for 'revoke'. Expected 1 argument", "token revoke"],
])(
  "%j is refused with the reason and the usage, before any database is needed",
  async (args, reason, usage = "Usage: maturity-service token create") => {
    const { code, stdout, stderr } = await runWithoutSettings(["token", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
    expect(stderr).toContain(usage);
  },
);

test("an id that is not there is named without the usage", async () => {
  await expect(run("revoke", "999999")).rejects.toThrow(new OperatorError("there is no token 999999 to revoke"));
});
