import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "vitest";
import { useDirectory } from "../test/support/service-process.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useScene } from "./support/scene.ts";

/** Where Debian's package `faketime` has its library: the folder of the architecture is one of those of `/usr/lib`. */
function faketime(): string {
  const folders = readdirSync("/usr/lib").map((folder) => join("/usr/lib", folder, "faketime/libfaketime.so.1"));
  const found = folders.find((file) => existsSync(file));
  if (!found) throw new Error("faketime is not installed: apt-get install faketime");
  return found;
}

test("the clock of an instance jumps, and that of the database does not", async (context) => {
  const clock = join(await useDirectory(), "clock");
  await writeFile(clock, "+0");
  const postgres = await useOwnPostgres();
  const scene = await useScene(context, {
    databaseUrl: postgres.url,
    environment: {
      ...{ LD_PRELOAD: faketime(), FAKETIME_TIMESTAMP_FILE: clock },
      // The file is read at each look at the clock; what counts seconds since the start goes on evenly, as it does on a machine.
      ...{ FAKETIME_NO_CACHE: "1", FAKETIME_DONT_FAKE_MONOTONIC: "1" },
    },
  });
  for (const jump of ["+2h", "-1d", "+400d", "-20y", "+0"]) {
    await scene.round(async () => {
      await writeFile(clock, jump);
      await scene.more("acknowledged", 100);
    });
  }
  await scene.finish();
});
