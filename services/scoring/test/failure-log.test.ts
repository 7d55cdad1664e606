import { describe, expect, test } from "vitest";
import { readableLog } from "./support/log.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines, useService } from "./support/service.ts";

const secret = "hunter2";
const report = {
  ...{ area: "shop", team: "checkout", app: secret, env: "prod", scorecard: "security", metric: "secret_scan" },
  raw: { found: false },
};

describe.each(engines)("an answer of 500 or above, on %s", (kind) => {
  test.each([
    ["53100", 503],
    ["22000", 500],
  ])("has one line in the log, with the reason and without the statement (%s)", async (code, status) => {
    const log = readableLog();
    const service = await useService({ databaseUrl: await createDatabase(kind), logger: log.logger });
    await service.database.knex.raw(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left' USING ERRCODE = '${code}', DETAIL = NEW.raw; END $$
    `);
    await service.database.knex.raw(
      "CREATE TRIGGER refuse BEFORE INSERT ON scores FOR EACH ROW EXECUTE FUNCTION refuse()",
    );
    const before = log.lines.length;
    expect(await post(service, "/score", report)).toMatchObject({ status });
    const lines = log.lines.slice(before).filter((line) => JSON.parse(line).level >= 30);
    expect(lines).toEqual([expect.stringMatching(/could not extend file: No space left/)]);
    expect(lines[0]?.length).toBeLessThan(5_000);
    expect(lines[0]).not.toMatch(/INSERT INTO|hunter2|found/);
    expect(JSON.parse(String(lines[0]))).toMatchObject({ level: 50, path: "/score" });
    expect(lines[0]).toContain(`"statusCode":${status}`);
  });
});
