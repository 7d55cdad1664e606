import { expect, test } from "vitest";
import { type Sent, send } from "../test/support/moves/send.ts";
import { query } from "../test/support/postgres.ts";
import { until } from "../test/support/service.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { type Instance, useInstance } from "./support/scene.ts";

const apps = 300;

const team = (number: number) => ({ area: "shop", team: `team-${number}` });

/** Reports all applications of a team. */
async function fill({ address }: Instance): Promise<void> {
  const scores = Array.from({ length: apps }, (_, index) => ({
    ...{ ...team(0), app: `app-${index}`, env: "prod" },
    ...{ scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } },
  }));
  expect(await send(address, "/scores", { scores })).toMatchObject({ outcome: "answered", status: 200 });
}

const move = ({ address }: Instance, number: number): Promise<Sent> =>
  send(address, "/apps/move", { from: team(number), to: team(number + 1) });

/** What is stored once so many moves are done. */
const afterMoves = (number: number) => ({
  teams: [`team-${number}`],
  scores: apps,
  formerNames: number,
  audited: number,
});

async function stored(url: string): Promise<object> {
  const { rows } = await query(
    url,
    `SELECT (SELECT json_agg(DISTINCT team) FROM scores_by_name) AS teams, (SELECT count(*)::int FROM scores) AS scores,
       (SELECT count(*)::int FROM former_names) AS "formerNames",
       (SELECT count(*)::int FROM audit WHERE action = 'app.move') AS audited`,
  );
  return rows[0];
}

/** Looks so often at a move that is under way, each time at another statement of it. It returns where none is left. */
async function inside(url: string, looks: number, isOver: () => boolean): Promise<void> {
  for (let left = looks; left > 0 && !isOver(); ) {
    const { rows } = await query(
      url,
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL
         AND application_name = 'maturity-service background'`,
    );
    if (rows.length > 0) left--;
  }
}

/** What the answer says of the move: that it is done, that it is not, or neither. */
function saysDone(sent: Sent): boolean | undefined {
  if (sent.outcome !== "answered") return undefined;
  if (sent.status === 200) return true;
  expect(sent).toMatchObject({ status: 503, body: { code: "store-unavailable" } });
  return /nothing is changed/.test(String(sent.body.message)) ? false : undefined;
}

/** Moves again, as a client does, until it is done: then nothing is left of the former name. */
async function insist(instance: Instance, number: number): Promise<void> {
  await until(async () => {
    const sent = await move(instance, number);
    if (sent.outcome !== "answered" || sent.status === 503) return false;
    if (sent.status !== 200)
      expect(sent).toMatchObject({
        status: 404,
        body: { message: expect.stringContaining(`is called shop/team-${number + 1} now`) },
      });
    return true;
  });
}

test("a move during which PostgreSQL is stopped is whole, or did not happen, and can be asked for again", async () => {
  const postgres = await useOwnPostgres();
  const instance = await useInstance({ DATABASE_URL: postgres.url, LOG_LEVEL: "fatal" });
  await fill(instance);
  const rounds = 8;
  for (let number = 0; number < rounds; number++) {
    let isOver = false;
    const moved = move(instance, number).finally(() => {
      isOver = true;
    });
    await inside(postgres.url, 1 + 2 * number, () => isOver);
    await postgres.stopHard();
    const says = saysDone(await moved);
    await postgres.start();
    expect(
      says === undefined ? [afterMoves(number), afterMoves(number + 1)] : [afterMoves(says ? number + 1 : number)],
    ).toContainEqual(await stored(postgres.url));
    await insist(instance, number);
    expect(await stored(postgres.url)).toEqual(afterMoves(number + 1));
  }
});

test("a move that is under way at SIGTERM is done before the process ends", async () => {
  const { url } = await useOwnPostgres();
  const instance = await useInstance({ DATABASE_URL: url, LOG_LEVEL: "fatal" });
  await fill(instance);
  const gate = await useGate(url);
  const moved = move(instance, 0);
  await gate.reached();
  const stopped = instance.stop();
  await until(async () => !(await isReady(instance)));
  await gate.open();
  expect(await moved).toMatchObject({ outcome: "answered", status: 200 });
  expect(await stopped).toEqual({ code: 0, signal: null });
  expect(await stored(url)).toEqual(afterMoves(1));
});

test("a move that a process has no time for any more changes nothing, and the next process does it", async () => {
  const { url } = await useOwnPostgres();
  const instance = await useInstance({ DATABASE_URL: url, LOG_LEVEL: "fatal", SHUTDOWN_GRACE_MS: "0" });
  await fill(instance);
  const gate = await useGate(url);
  const moved = move(instance, 0);
  await gate.reached();
  await instance.stop();
  expect(saysDone(await moved)).not.toBe(true);
  await gate.open();
  await until(async () => (await query(url, underWay)).rows.length === 0);
  expect(await stored(url)).toEqual(afterMoves(0));
  await instance.start();
  await instance.listening();
  await insist(instance, 0);
  expect(await stored(url)).toEqual(afterMoves(1));
});

const underWay = `SELECT wait_event FROM pg_stat_activity
  WHERE datname = current_database() AND xact_start IS NOT NULL AND application_name = 'maturity-service background'`;

/** Keeps moves where they write the former name, after everything else, until it is opened. */
async function useGate(url: string): Promise<{ reached(): Promise<void>; open(): Promise<void> }> {
  await query(
    url,
    `CREATE TABLE gate (is_open boolean);
     CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         WHILE NOT EXISTS (SELECT FROM gate) LOOP PERFORM pg_sleep(0.01); END LOOP;
         RETURN NULL;
       END
     $$;
     CREATE TRIGGER wait_at_gate AFTER INSERT ON former_groups EXECUTE FUNCTION wait_at_gate()`,
  );
  return {
    reached: () =>
      until(async () => (await query(url, underWay)).rows.some(({ wait_event }) => wait_event === "PgSleep")),
    open: async () => void (await query(url, "INSERT INTO gate VALUES (true)")),
  };
}

async function isReady({ address }: Instance): Promise<boolean> {
  const answer = await fetch(`${address}/readyz`).catch(() => undefined);
  return answer?.ok === true;
}
