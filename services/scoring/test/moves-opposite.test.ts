import { expect, test } from "vitest";
import type { AppName } from "../src/model/app-name.ts";
import { type Action, createNamesModel } from "./support/moves/model.ts";
import { query } from "./support/postgres.ts";
import { readPage } from "./support/reading.ts";
import { type Answer, post } from "./support/requests.ts";
import { createDatabase, type TestService, useService } from "./support/service.ts";

const dast = { scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };

/** Names of their own for each round. */
const named = (round: number, app: string): AppName => ({ area: "shop", team: `team-${round}`, app });

type Move = Extract<Action, { kind: "move" }>;

/** Asks all of them at once, each at the next instance. What was locked for too long is asked again, as a client does. */
function moveAtOnce(instances: readonly TestService[], moves: readonly Move[]): Promise<Answer[]> {
  return Promise.all(
    moves.map(async ({ from, to, merge }, place) => {
      for (;;) {
        const answer = await post(instances[place % instances.length] as TestService, "/apps/move", {
          from,
          to,
          merge,
        });
        if (answer.status !== 503) return answer;
      }
    }),
  );
}

/** The moves that were committed, in their order. */
async function committed(databaseUrl: string, team: string): Promise<Move[]> {
  const { rows } = await query(
    databaseUrl,
    `SELECT area, team, app, details FROM audit WHERE action = 'app.move' AND team = '${team}' ORDER BY id`,
  );
  return rows.map(({ details: { to, merge }, ...from }) => ({ kind: "move", from, to, merge }));
}

/** What moves to what at once, and which of the names are in use before. */
const cases: Readonly<Record<string, { moves: readonly (readonly [string, string])[]; used: string; merge: boolean }>> =
  {
    "two names that are exchanged": {
      moves: [
        ["a", "b"],
        ["b", "a"],
      ],
      used: "ab",
      merge: false,
    },
    "a move and the way back": {
      moves: [
        ["a", "b"],
        ["b", "a"],
      ],
      used: "a",
      merge: false,
    },
    "two that are merged into each other": {
      moves: [
        ["a", "b"],
        ["b", "a"],
      ],
      used: "ab",
      merge: true,
    },
    "a circle of three": {
      moves: [
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
      ],
      used: "abc",
      merge: false,
    },
    "a circle of three of which one is in use": {
      moves: [
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
      ],
      used: "a",
      merge: false,
    },
    "a circle of three that are merged": {
      moves: [
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
      ],
      used: "abc",
      merge: true,
    },
  };

test.each(Object.entries(cases))("%s on two instances at once", async (_, { moves, used, merge }) => {
  const databaseUrl = await createDatabase("postgres");
  const instances = [await useService({ databaseUrl }), await useService({ databaseUrl })];
  for (let round = 0; round < 10; round++) {
    const names = [...used].map((app) => named(round, app));
    // Each has an environment of its own, so that a merge leaves all of them.
    const scores = names.map((name) => ({ ...name, env: `of-${name.app}`, ...dast }));
    expect(await post(instances[0] as TestService, "/scores", { scores })).toMatchObject({ status: 200 });
    const wanted = moves.map(
      ([from, to]): Move => ({ kind: "move", from: named(round, from), to: named(round, to), merge }),
    );
    const answers = await moveAtOnce(instances, round % 2 === 0 ? wanted : wanted.toReversed());
    const model = createNamesModel();
    for (const move of await committed(databaseUrl, `team-${round}`)) model.add(move);

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(model.actions.length);
    if (merge || used === "a") expect(model.actions.length).toBeGreaterThan(0);
    for (const { status, body } of answers) {
      if (status === 200) continue;
      const said = { status, code: body.code, message: body.message };
      expect([
        {
          status: 409,
          code: "app-exists",
          message: expect.stringMatching(/ exists; merge joins the two$| is a former name of /),
        },
        {
          status: 404,
          code: "not-found",
          message: expect.stringMatching(
            /^nothing is stored or registered of shop\/team-\d+\/[abc](?:; it is called shop\/team-\d+\/[abc] now)?$/,
          ),
        },
      ]).toContainEqual(said);
    }
    const found = await readPage<AppName & { env: string }>(instances[1] as TestService, `/scores?team=team-${round}`);
    expect(found.items.map(({ area, team, app, env }) => ({ area, team, app, env })).sort(byEnv)).toEqual(
      names.map((name) => ({ ...model.current(name), env: `of-${name.app}` })),
    );
    for (const instance of instances) {
      for (const name of names) {
        const { status, body } = await post(instance, "/score", { ...name, env: `of-${name.app}`, ...dast });
        expect(status).toBe(200);
        expect(body.moved_to ?? name).toEqual(model.current(name));
      }
    }
  }
});

function byEnv({ env: one }: { readonly env: string }, { env: other }: { readonly env: string }): number {
  return one < other ? -1 : 1;
}
