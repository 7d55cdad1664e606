import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { astral, hostileNames, lookalikes } from "./support/hostile-names.ts";
import { type Answer, post, rows } from "./support/requests.ts";
import { createDatabase, engines, startService, type TestService } from "./support/service.ts";

const fields = ["area", "team", "app", "env"] as const;

type Names = Readonly<Record<(typeof fields)[number], string>>;

describe.each(engines)("names on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
  });
  afterAll(() => service.stop());

  const sendScore = (names: Names, more: object = {}): Promise<Answer> =>
    post(service, "/score", {
      ...names,
      scorecard: "security",
      metric: "dast",
      raw: { high: 0, medium: 0 },
      ...more,
    });
  const sendProblem = (names: Names, problem_type: string, count = 0): Promise<Answer> =>
    post(service, "/problem/scan-result", { ...names, problem_type, severity: "low", count });

  /** The rows with exactly these names, as the database compares them. */
  const find = async (table: "scores" | "problems", { area, team, app, env }: Names) =>
    (
      await service.database.knex.raw(
        `SELECT * FROM ${table}_by_name WHERE area = ? AND team = ? AND app = ? AND env = ?`,
        [area, team, app, env],
      )
    ).rows;

  test.each(hostileNames)("%j comes back as it went in, in every field of a score", async (name) => {
    const names = { area: name, team: name, app: name, env: name };
    const more = { pipeline_id: name, project_repo: name };
    for (let round = 0; round < 2; round++) {
      const { status, body } = await sendScore(names, more);
      expect({ status, ...body }).toMatchObject({ status: 200, ...names });
    }
    expect(await find("scores", names)).toMatchObject([{ ...names, ...more }]);
  });

  test.each(hostileNames)("%j comes back as it went in, in every field of a problem", async (name) => {
    const names = { area: name, team: name, app: name, env: name };
    const report = { ...names, problem_type: name, severity: "low", count: 1, chat_channel: name };
    const details = [{ file: name, description: name }];
    for (let round = 0; round < 2; round++) {
      const { status, body } = await post(service, "/problem/scan-result", { ...report, details });
      expect({ status, ...body }).toMatchObject({ status: 200, ...report, details });
    }
    expect(await find("problems", names)).toMatchObject([{ ...report, details }]);
  });

  test.each([1, 2, 3, 4, 5])("200 astral characters fit all names at once (%i)", async (seed) => {
    const [area, team, app, env, type] = [1, 2, 3, 4, 5].map((field) => astral(seed * 10 + field)) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const names = { area, team, app, env };
    expect(await sendScore(names)).toMatchObject({ status: 200, body: names });
    expect(await sendProblem(names, type)).toMatchObject({ status: 200, body: { ...names, problem_type: type } });
    expect(await find("scores", names)).toMatchObject([names]);
    expect(await find("problems", names)).toMatchObject([{ ...names, problem_type: type }]);
  });

  test("what 201 astral characters are refused for is their number, not their bytes", async () => {
    const names = { area: astral(1), team: astral(2), app: astral(3), env: astral(4, 201) };
    const { status, body } = await sendScore(names);
    expect({ status, details: body.details }).toMatchObject({ status: 400, details: [{ path: "env" }] });
  });

  test("a project_repo takes 2,048 astral characters", async () => {
    const names = { area: "repo", team: "t", app: "a", env: "e" };
    const project_repo = astral(7, 2_048);
    expect(await sendScore(names, { project_repo })).toMatchObject({ status: 200 });
    expect(await find("scores", names)).toMatchObject([{ project_repo }]);
  });

  test("scores whose names look alike are different records", async () => {
    for (const [team, app] of lookalikes) {
      expect(await sendScore({ area: "alike", team, app, env: "prod" })).toMatchObject({ status: 200 });
    }
    const found = (await rows(service, "scores")).filter(({ area }) => area === "alike");
    const pairs = found.map(({ team, app }) => JSON.stringify([team, app]));
    expect(pairs.sort()).toEqual(lookalikes.map((pair) => JSON.stringify(pair)).sort());
  });

  test("problems whose names look alike are different records", async () => {
    for (const [env, problem_type] of lookalikes) {
      const names = { area: "alike", team: "t", app: "a", env };
      expect(await sendProblem(names, problem_type)).toMatchObject({ status: 200 });
    }
    const found = (await rows(service, "problems")).filter(({ area }) => area === "alike");
    const pairs = found.map(({ env, problem_type }) => JSON.stringify([env, problem_type]));
    expect(pairs.sort()).toEqual(lookalikes.map((pair) => JSON.stringify(pair)).sort());
  });

  test("the same name in another field is another record", async () => {
    for (const field of fields) {
      const names = { area: "x", team: "x", app: "x", env: "x", [field]: "y" };
      expect(await sendScore(names)).toMatchObject({ status: 200 });
      expect(await find("scores", names)).toHaveLength(1);
    }
  });
});
