import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createEngine } from "@maturity/core";
import { describe, expect, test } from "vitest";
import type { PolicyDiff } from "../src/commands/policy.ts";
import { parsePolicy } from "../src/policy/policy-file.ts";
import { recordRules } from "../src/policy/recorded.ts";
import { applyPolicy, noPolicy } from "../src/policy/rules.ts";
import { openDatabase } from "../src/store/database.ts";
import { newScore } from "./support/new-score.ts";
import { query, withDatabase } from "./support/postgres.ts";
import { organisationOf } from "./support/read-organisation.ts";
import { readAll, saveAgedScores, someScores } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, useService } from "./support/service.ts";
import { runOn, runWithoutSettings } from "./support/service-command.ts";
import { useDirectory } from "./support/service-process.ts";

const declared = shippedEngine.scorecards;
const by = { actor: "test", file: undefined };

async function useFile(text: string | Buffer): Promise<string> {
  const file = join(await useDirectory(), "policy.yaml");
  await writeFile(file, text);
  return file;
}

const heavier = `
weights: { metrics: { security.dast: 90, security.sast: 1 } }
max_age_hours: { security.dast: never }
levels:
  - { name: bronze, min_score: 40 }
  - { name: diamond, min_score: 60, min_fresh: 0.2 }
`;

describe("check", () => {
  test("says what a good policy changes, and needs no database", async () => {
    const { code, stdout, stderr } = await runWithoutSettings(["policy", "check", await useFile(heavier)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^The policy \S+policy\.yaml is in order\.\nWeights .*: 2\. Ages: 1\.\nLevels, from the lowest: bronze, diamond\.\n$/,
    );
    expect((await runWithoutSettings(["policy", "check", await useFile("levels: []")])).stdout).toContain("no levels");
  });

  test("shows every fault with its line, and ends with 1", async () => {
    const file = await useFile("weights: { metrics: { security.dats: 1 } }\nlevels:\n  - name: a\n");
    const { code, stdout, stderr } = await runWithoutSettings(["policy", "check", file]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      `maturity-service: The policy ${file} cannot be used:\n` +
        "  line 1: weights.metrics.security.dats is no installed metric; did you mean security.dast?\n" +
        "  line 3: levels[0] has no condition\n",
    );
  });

  test("takes no file in another encoding", async () => {
    const file = await useFile(Buffer.from("levels: # \xe9\n", "latin1"));
    const { code, stderr } = await runWithoutSettings(["policy", "check", file]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `maturity-service: The policy ${file} is not UTF-8; save it as UTF-8\n`,
    });
  });

  test("shows that a file is not there", async () => {
    const { code, stderr } = await runWithoutSettings(["policy", "check", "/nowhere/policy.yaml"]);
    expect(code).toBe(1);
    expect(stderr).toContain("The policy /nowhere/policy.yaml cannot be read: ENOENT");
  });

  test.each([
    [["policy", "check"], "missing required argument 'file'"],
    [["policy", "diff", "a", "--format", "csv"], "Allowed choices are text, json"],
    [["policy", "load", "a"], "unknown command 'load'"],
  ])("%j is refused with the usage", async (args, reason) => {
    const { code, stderr } = await runWithoutSettings(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});

test("diff says of an empty database what makes its tables", async () => {
  const file = await useFile(heavier);
  const { code, stdout, stderr } = await runWithoutSettings(["policy", "diff", file], {
    DATABASE_URL: "pglite::memory:",
  });
  expect({ code, stdout, stderr }).toEqual({
    ...{ code: 1, stdout: "" },
    stderr:
      "maturity-service: the database is empty or of an older version; start this version of the service on it to migrate it\n",
  });
});

interface ShownApp {
  readonly area: string;
  readonly team: string;
  readonly app: string;
  readonly env: string;
  readonly score: number;
  readonly level: { readonly name: string | null } | null;
}

describe.each(engines)("diff on %s", (kind) => {
  test("says of each application what a service with either policy would", async () => {
    const databaseUrl = await createDatabase(kind);
    const rules = applyPolicy(declared, parsePolicy(heavier, "p", declared));
    const before = await useService({ databaseUrl });
    const { database } = before;
    await saveAgedScores(database.knex, someScores(30));
    await recordRules(database, applyPolicy(declared, noPolicy), by);
    const diff: PolicyDiff = JSON.parse(
      await runOn(database, ["policy", "diff", await useFile(heavier), "--format", "json"]),
    );
    const now = await readAll<ShownApp>(before, "/apps", 1_000);
    const changed = new Map(diff.changed.map((one) => [JSON.stringify([one.area, one.team, one.app, one.env]), one]));
    const { apps } = await organisationOf(database, createEngine(rules.scorecards), rules.levels);
    const later = new Map(apps.map((app) => [JSON.stringify([app.area, app.team, app.app, app.env]), app]));
    expect(diff.applications).toBe(now.length);
    expect(changed.size).toBeGreaterThan(5);
    for (const { area, team, app, env, score, level } of now) {
      const id = JSON.stringify([area, team, app, env]);
      const to = later.get(id);
      const levels = { from: level?.name ?? null, to: to?.level?.name ?? null };
      const isSame = Math.abs((to?.score ?? Number.NaN) - score) < 1e-9 && levels.from === levels.to;
      expect(changed.has(id), id).toBe(!isSame);
      if (!isSame) {
        expect(changed.get(id)).toMatchObject({ level: levels, score: { from: expect.closeTo(score, 9) } });
        expect(changed.get(id)?.score.to).toBeCloseTo(Number(to?.score), 9);
      }
    }
    const order = diff.changed.map(({ rise }) => rise);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(diff.settings.slice(0, 3).map(({ setting }) => setting)).toEqual([
      "weights.metrics.security.sast",
      "weights.metrics.security.dast",
      "max_age_hours.security.dast",
    ]);
    expect(diff.settings).toContainEqual({ setting: "levels.bronze.min_score", from: 50, to: 40 });
  });

  test("as text, and for the policy that is in force", async () => {
    const { database } = await useService({ databaseUrl: await createDatabase(kind) });
    await saveScores(database.knex, [
      newScore({ area: "a", team: "b", app: "cart", metric: "dast", score: 100 }),
      newScore({ area: "a", team: "b", app: "cart", metric: "sast", score: 20 }),
    ]);
    const simple = "levels: [{ name: bronze, min_score: 50 }]";
    await recordRules(database, applyPolicy(declared, parsePolicy(simple, "p", declared)), by);
    expect(await runOn(database, ["policy", "diff", await useFile(simple)])).toMatch(
      /^The policy \S+ is the one in force since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\.\n$/,
    );
    const file = await useFile(
      `${simple}\nweights: { metrics: { security.dast: 1 } }\nmax_age_hours: { security.dast: never }`,
    );
    const text = await runOn(database, ["policy", "diff", file]);
    expect(text).toMatch(/^weights\.metrics\.security\.dast +25 +1$/m);
    expect(text).toMatch(/^max_age_hours\.security\.dast +168 +never$/m);
    expect(text).toContain("Of 1 applications 1 get another score; 0 rise to a higher level, 1 fall to a lower one.");
    expect(text).toMatch(
      /^a\/b\/cart \(prod\) +\d\d\.\d\d -> \d\d\.\d\d +bronze -> none +bronze needs score 50, has \d\d\.\d+$/m,
    );
  });
});

test("diff writes nothing, and works where nothing can be written", async () => {
  const service = await useService();
  await saveScores(service.database.knex, [newScore({})]);
  await recordRules(service.database, applyPolicy(declared, noPolicy), by);
  const name = new URL(service.databaseUrl).pathname.slice(1);
  await query(
    withDatabase(service.databaseUrl, "postgres"),
    `ALTER DATABASE ${name} SET default_transaction_read_only = on`,
  );
  const database = openDatabase(service.databaseUrl, 1);
  const text = await runOn(database, ["policy", "diff", await useFile(heavier)]);
  await database.close();
  expect(text).toContain("Of 1 applications");
});

test("before any start has recorded a policy, diff compares with that of the settings", async () => {
  const { database } = await useService();
  const file = await useFile(heavier);
  const env = { POLICY: file };
  expect(await runOn(database, ["policy", "diff", file], { env })).toMatch(/is the one of the settings\.\n$/);
  expect(await runOn(database, ["policy", "diff", file], { env: {} })).toContain("levels.diamond");
});
