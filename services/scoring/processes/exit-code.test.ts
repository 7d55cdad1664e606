import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("a process that can start the embedded PostgreSQL ends with the code it set", () => {
  const support = new URL("../test/support/embedded-postgres.ts", import.meta.url).href;
  const script = `
    import { embeddedPostgres } from ${JSON.stringify(support)};
    await embeddedPostgres("nowhere", 1, { postgres: [] });
    process.exitCode = 3;
  `;
  const parameters = ["--conditions=@maturity/source", "--input-type=module", "--eval", script];
  expect(spawnSync(process.execPath, parameters, { stdio: "ignore" }).status).toBe(3);
});
