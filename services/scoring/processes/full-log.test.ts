import { expect, test } from "vitest";
import { useServiceProcess } from "../test/support/service-process.ts";

test("a log that cannot be written stops neither the service nor its end", async () => {
  const environment = { DATABASE_URL: "pglite::memory:", LOG_LEVEL: "debug", SHUTDOWN_GRACE_MS: "1000" };
  const service = await useServiceProcess(environment, undefined, ["sh", "-c", 'exec "$@" > /dev/full', "sh"]);
  const address = await service.address();
  for (let index = 0; index < 20; index++) {
    expect((await fetch(`${address}/nothing/there`)).status).toBe(404);
  }
  expect((await fetch(`${address}/livez`)).status).toBe(200);
  service.kill("SIGTERM");
  expect(await service.exit).toEqual({ code: 0, signal: null });
});
