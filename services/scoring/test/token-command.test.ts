import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandError } from "../src/commands/command.ts";
import { tokenCommand } from "../src/commands/token.ts";
import { startService, type TestService } from "./support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ auth: "token" });
});
afterAll(() => service.stop());

const now = new Date("2026-01-15T12:00:00Z");
const run = (...args: string[]) => tokenCommand(now).read(args)(service.database);

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
  const [, id, token] = /^Token (\d+), shown this once:\n\n(maturity_\w+)\n$/.exec(made) ?? [];
  const scrape = await service.server.inject({ url: "/metrics", headers: { authorization: `Bearer ${token}` } });
  expect(scrape.statusCode).toBe(200);
  const listed = await run("list");
  expect(listed).toMatch(/^ID +NAME +SCOPES +BOUND TO +CREATED +EXPIRES +STATE\n/);
  expect(listed).toMatch(/^\d+ +ci +metrics:read,score:write +area="a \\"b\\"" +\d{4}-\d\d-\d\d +never +good$/m);
  expect(listed).not.toContain(token);
  expect(await run("revoke", String(id))).toContain(`Token ${id} is revoked`);
  expect(await run("list")).toMatch(/ +revoked$/m);
});

test("a token can expire", async () => {
  await run("create", "--name", "short", "--scope", "read", "--expires", "30");
  expect(await run("list")).toMatch(/short +read +- +\d{4}-\d\d-\d\d +2026-02-14 +good$/m);
  const later = new Date("2026-02-14T12:00:00Z");
  expect(await tokenCommand(later).read(["list"])(service.database)).toMatch(/short .* expired$/m);
});

test.each([
  [[], "say what to do"],
  [["make"], "there is no command token make"],
  [["list", "5"], "list takes no arguments"],
  [["create", "--scope", "read"], "--name is required"],
  [["create", "--name", "x"], "--scope is required"],
  [["create", "--name", "x", "--scope", "read", "--app", "cart\u200b"], "--app must not hold U+200B"],
  [["create", "--name", "x", "--scope", "read", "--area", " shop"], "--area must be a text of 1 to 200"],
  [["create", "--name", "a\nb", "--scope", "read"], "--name must not hold U+000A"],
  [["create", "--name", "x", "--scope", "write"], "must be one of score:write"],
  [["create", "--name", "x", "--scope", "read", "--expires", "soon"], "--expires takes a number of days"],
  [["create", "--name", "x", "--scope", "read", "--colour", "red"], "--colour"],
  [["revoke"], "revoke takes the id"],
])("%j is refused with the reason and the usage, before any database is needed", (args, reason) => {
  expect(() => tokenCommand(now).read(args)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(reason),
      usage: expect.stringContaining("maturity-service token create"),
    }),
  );
});

test("an id that is not there is told without the usage", async () => {
  await expect(run("revoke", "999999")).rejects.toThrow(new CommandError("there is no token 999999 to revoke"));
});
