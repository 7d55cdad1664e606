import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { parseExposition } from "./support/exposition-parser.ts";
import { report } from "./support/problem-report.ts";
import { rows } from "./support/requests.ts";
import { engines } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";
import {
  change,
  collect,
  importRows,
  lines,
  problem,
  rollUpDay,
  score,
  useServiceOn,
  waiver,
} from "./support/transfer.ts";

describe.each(engines)("an import on %s", (kind) => {
  test("stores a problem in the series of its severity, and the next report goes on from there", async () => {
    const one = await useServiceOn(kind);
    await importRows(one.database, lines({ ...problem, severity: "LOW" }));
    const series = async () => {
      const { payload } = await one.server.inject("/metrics?collect[]=problems");
      return parseExposition(payload).map(({ labels, value }) => ({ severity: labels.severity, value }));
    };
    expect(await series()).toEqual([{ severity: "low", value: 1 }]);
    const { area, team, app, env, problem_type } = problem;
    await report(one, { area, team, app, env, problem_type, count: 5 });
    expect(await series()).toEqual([{ severity: "high", value: 5 }]);
    expect(await rows(one, "problems")).toMatchObject([{ opened_at: new Date("2026-01-31T11:00:00.000Z") }]);
  });

  const named = { area: "shop", team: "checkout", app: "cart" };
  const at = "2026-01-31T12:00:00Z";
  const retirement = { table: "apps", ...named, reason: "replaced", retired_at: at };
  const environment = { ...retirement, table: "retired_envs", env: "prod" };
  const till = { ...score, app: "till" };
  const formerName = {
    table: "former_names",
    ...named,
    to_area: "shop",
    to_team: "checkout",
    to_app: "till",
    moved_at: at,
  };
  const shop = { area: "shop", to_area: "store", table: "former_names", moved_at: at };
  const unfit: Readonly<Record<string, readonly [rows: readonly object[], message: string]>> = {
    "a score twice": [
      [score, till, { ...score, score: 1 }],
      "line 3: has the same area, team, app, env, scorecard, metric as a line before it",
    ],
    "a problem twice": [[problem, problem], "line 2: has the same area, team, app, env, problem_type as"],
    "a change twice": [[score, change, change], "line 3: has the same area, team, app, env, scorecard, metric, at as"],
    "a day of a team twice": [
      [rollUpDay, { ...rollUpDay, app: undefined }, { ...rollUpDay, app: undefined }],
      "line 3: has the same area, team, app, env, day as",
    ],
    "a waiver twice": [[waiver, waiver], "line 2: has the same id as"],
    "a former name twice": [[shop, { ...shop, to_area: "mall" }], "line 2: has the same area, team, app as"],
    "a retired application twice": [[retirement, retirement], "line 2: has the same area, team, app as"],
    "an environment retired twice": [[environment, environment], "line 2: has the same area, team, app, env as"],
    "a change of another metric": [
      [score, { ...change, metric: "sast" }],
      "line 2: is a change of a score that the file does not have",
    ],
    "a confirmation of no score": [
      [
        {
          ...change,
          table: "score_confirmations",
          former: undefined,
          score: undefined,
          scorer: undefined,
          cause: undefined,
        },
      ],
      "line 1: is the time of a score that the file does not have",
    ],
    "a change of no score": [[change], "line 1: is a change of a score"],
    "a score of a former name": [[till, score, formerName], "line 2: shop/checkout/cart is a former name"],
    "a waiver of a former area": [[shop, waiver], "line 2: shop is a former name"],
    "a day of a former team": [
      [
        { ...rollUpDay, app: undefined },
        { ...formerName, app: undefined, to_app: undefined, to_team: "till" },
      ],
      "line 1: shop/checkout is a former name",
    ],
    "a retired application of a former area": [[retirement, shop], "line 1: shop/checkout/cart is a former name"],
    "former names in a circle": [[shop, { ...shop, area: "store", to_area: "shop" }], "line 1: store is a former name"],
    "a former name that leads below another": [
      [
        { ...formerName, to_team: "till" },
        { ...formerName, team: "till", app: undefined, to_app: undefined },
      ],
      "line 1: shop/till/till is a former name",
    ],
  };

  test("refuses what does not go with other lines, by the first line that does not, and then stores nothing at all", async () => {
    const { database } = await useServiceOn(kind);
    for (const [name, [rows, message]] of Object.entries(unfit)) {
      const failure = await importRows(database, lines(...rows)).catch((error) => error);
      expect.soft(failure, name).toMatchObject({ name: "ImportError", message: expect.stringContaining(message) });
      expect.soft(failure.message, name).toMatch(/; nothing was imported$/);
      expect.soft(await collect(database), name).toEqual([]);
    }
  });

  test("refuses a waiver whose id is there, of whatever area", async () => {
    const { database } = await useServiceOn(kind);
    await importRows(database, lines(waiver));
    await expect(
      importRows(database, lines({ ...score, area: "store" }, { ...waiver, area: "store" })),
    ).rejects.toThrow("line 2: has the id of a waiver of this store");
    expect(await collect(database)).toHaveLength(1);
  });

  test("takes scores of metrics that are registered no more, and waivers of them that are over", async () => {
    const { database } = await useServiceOn(kind);
    const former = { scorecard: "cost", metric: "budget" };
    const over = [
      { ...waiver, ...former, expires_at: "2026-02-28T12:00:00Z" },
      {
        ...{ ...waiver, ...former, id: waiver.id.replace(/1$/, "2") },
        ...{ revoked_at: "2026-02-28T12:00:00Z", revoked_by: "ann" },
      },
      {
        ...waiver,
        id: waiver.id.replace(/1$/, "3"),
        metric: "luck",
        expires_at: new Date(Date.now() - 1_000).toISOString(),
      },
    ];
    const file = lines({ ...score, ...former }, { ...change, ...former }, ...over);
    expect(await importRows(database, file)).toMatchObject({ scores: 1, waivers: 3 });
  });

  test("knows the scorecards of SCORECARDS", async () => {
    const { database } = await useServiceOn(kind);
    const give = (SCORECARDS: string) =>
      runOn(database, ["import"], {
        env: { SCORECARDS },
        stdin: Readable.from([Buffer.from(`${JSON.stringify({ ...waiver, metric: "sast" })}\n{"lines":1}\n`)]),
      });
    await expect(give("@maturity/reliability")).rejects.toThrow(
      'line 1: there is no scorecard named "security"; installed: reliability; ',
    );
    expect(await collect(database)).toEqual([]);
    expect(await give("@maturity/reliability,@maturity/security")).toContain("waivers: 1,");
  });
});
