import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { print } from "../src/commands/print.ts";
import { main, runOn, runPiped, runReset } from "./support/service-command.ts";
import { collect, importRows, lines, score, useServiceOn } from "./support/transfer.ts";

test("an output that goes away ends the export, and its connection comes back", async () => {
  const { database } = await useServiceOn("postgres");
  await importRows(database, lines(...Array.from({ length: 500 }, (_, index) => ({ ...score, app: `${index}` }))));
  const closed = new Writable({ write: (_, __, done) => done(new Error("EPIPE")) });
  await expect(runOn(database, ["export"], { stdout: closed })).rejects.toThrow("EPIPE");
  expect(await collect(database)).toHaveLength(500);
  expect(database.scrapes.client.pool.numUsed()).toBe(0);
});

test("export | head ends quietly, as other programs do whose reader has enough", async () => {
  const { database, databaseUrl } = await useServiceOn("postgres");
  await importRows(database, lines(...Array.from({ length: 2_000 }, (_, index) => ({ ...score, app: `${index}` }))));
  const { code, stdout, stderr } = runPiped("export", "head -n 1", { DATABASE_URL: databaseUrl });
  expect({ code, lines: stdout.split("\n").length, stderr }).toEqual({ code: 141, lines: 2, stderr: "" });
});

test("export ends as quietly when the connection that it writes to is reset", async () => {
  const { database, databaseUrl } = await useServiceOn("postgres");
  await importRows(database, lines(...Array.from({ length: 20_000 }, (_, index) => ({ ...score, app: `${index}` }))));
  expect(await runReset([main, "export"], { DATABASE_URL: databaseUrl })).toEqual({ code: 141, stderr: "" });
});

test("an error of the rows that has the code of a closed output stays what it is", async () => {
  const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE", syscall: "write" });
  async function* rows() {
    yield "one\n";
    throw broken;
  }
  await expect(print(rows(), new PassThrough().resume())).rejects.toBe(broken);
});
