import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createScoreStore } from "../src/store/scores.ts";
import { newScore } from "./support/new-score.ts";
import { expectRefusal, post, put } from "./support/requests.ts";
import { createDatabase, engines, type TestService, useService } from "./support/service.ts";
import { registerNames } from "./support/store.ts";

/** Others in each run; FUZZ_SEED repeats those of a former one. */
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));

const terms = { lockMs: 5_000, isPatient: false, signal: AbortSignal.any([]) };

/** A score of a registered application, of one that is retired, or of one that nothing is known of. */
const sent = fc.record({
  area: fc.constantFrom("current", "former"),
  app: fc.constantFrom("known", "known", "retired", "new", "newer"),
  env: fc.constantFrom("prod", "test"),
});
const modes = ["accept", "hold", "refuse"] as const;
const callers = fc.array(fc.array(sent, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });

/** The names, targets and scores that are stored of the areas with an ending. */
async function stored({ database: { knex } }: TestService, ending: string): Promise<object> {
  const select = async (text: string) => (await knex.raw(text)).rows.map(({ row }: { row: string }) => row).sort();
  const ofArea = `JOIN applications ON applications.id = application_id WHERE applications.area = 'current-${ending}'`;
  return {
    names: await select(`SELECT names.area || ' ' || names.app AS row FROM names ${ofArea}`),
    targets: await select(`SELECT app || ' ' || env AS row FROM targets ${ofArea}`),
    scores: await select(
      `SELECT app || ' ' || env || ' ' || score::float8 AS row FROM scores JOIN targets ON targets.id = target_id ${ofArea}`,
    ),
  };
}

test.each(engines)(
  "a batch of several callers stores and creates all of those that are not refused, and nothing of the others, on %s",
  async (kind) => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    let runs = 0;
    const property = fc.asyncProperty(fc.constantFrom(...modes), callers, async (unregistered, batch) => {
      const ending = String(runs++);
      const area = `current-${ending}`;
      const name = { area, team: "team", owner: null, repo: null, tier: null, labels: {} };
      await registerNames(knex, [
        { ...name, app: "known" },
        { ...name, app: "retired" },
      ]);
      await knex.raw(
        "UPDATE applications SET retired_at = now(), retired_because = 'over' WHERE area = ? AND app = 'retired'",
        [area],
      );
      await knex.raw("INSERT INTO former_groups (area, team, to_area, to_team) VALUES (?, '', ?, '')", [
        `former-${ending}`,
        area,
      ]);

      let score = 0;
      const scores = batch.map((one) =>
        one.map((key) => newScore({ ...key, area: `${key.area}-${ending}`, score: score++ })),
      );
      const isRefused = ({ app }: { app: string }) =>
        app === "retired" || (unregistered === "refuse" && app.startsWith("new"));
      const good = scores.filter((one) => !one.some(isRefused)).flat();
      const unique = (rows: readonly string[]) => [...new Set(rows)].sort();
      const last = new Map(good.map((one) => [`${one.app} ${one.env}`, one.score]));

      const answers = await createScoreStore(knex, 400, unregistered)(scores, terms);
      expect(answers.map((answer) => answer.scores.some((one) => one.retired || one.is_refused))).toEqual(
        scores.map((one) => one.some(isRefused)),
      );
      expect(await stored(service, ending)).toEqual({
        names: unique(
          [`${area} known`, `${area} retired`].concat(
            good.flatMap((one) => [`${one.area} ${one.app}`, `${area} ${one.app}`]),
          ),
        ),
        targets: unique([...last.keys()]),
        scores: unique([...last].map((entry) => entry.join(" "))),
      });
    });
    await fc.assert(property, { seed, numRuns: 20 });
  },
);

const cart = { area: "shop", team: "checkout", app: "cart" };
const dast = { env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };

test("a refused batch leaves nothing of the registered application that it names first", async () => {
  const service = await useService({ unregistered: "refuse" });
  await put(service, "/registry", cart);
  const scores = [cart, { ...cart, app: "carrt" }].map((app) => ({ ...app, ...dast }));
  expectRefusal(await post(service, "/scores", { scores }), {
    ...{ status: 403, code: "app-unregistered", paths: ["scores[1].app"] },
  });
  const { rows } = await service.database.knex.raw("SELECT FROM targets UNION ALL SELECT FROM metrics");
  expect(rows).toEqual([]);
  expect(await post(service, "/scores", { scores: scores.slice(0, 1) })).toMatchObject({ status: 200 });
});
