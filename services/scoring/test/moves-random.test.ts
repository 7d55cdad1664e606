import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { type AppName, appKey, type Subtree } from "../src/model/app-name.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { query } from "./support/postgres.ts";
import { post } from "./support/requests.ts";
import { type TestService, useService } from "./support/service.ts";

/** Ten reports for each move. A nightly run may ask for more. */
const moves = Number(process.env.MOVES ?? 30);

/** Others in each run; MOVES_SEED repeats the choices of a former one. */
const seed = Number(process.env.MOVES_SEED ?? randomInt(1, 2 ** 31 - 1));

const metrics = ["dast", "sast"];

/** A report, and how many moves were done for certain when it began and when it had ended. */
interface Report {
  readonly serial: number;
  readonly sent: AppName;
  readonly metric: string;
  readonly from: number;
  to: number;
  /** Where it was stored and when; absent if it was not acknowledged. */
  stored?: { readonly name: AppName; readonly at: number };
}

interface Move {
  readonly from: Subtree;
  readonly to: Subtree;
}

function createRandom(start: number) {
  let state = start;
  return <T>(items: readonly T[]): T => {
    state = (state * 48_271) % 2_147_483_647;
    return items[state % items.length] as T;
  };
}

const isWithin = (name: AppName, { area, team, app }: Subtree) =>
  name.area === area && (team === undefined || name.team === team) && (app === undefined || name.app === app);

test("moves and merges at random lose, double or leave nothing, while reports come in under all names", {
  timeout: 60_000 + 2_000 * moves,
}, async () => {
  process.stdout.write(`MOVES=${moves} MOVES_SEED=${seed}\n`);
  const pick = createRandom(seed);
  const first = await useService();
  const { databaseUrl } = first;
  const copies = [first, await useService({ databaseUrl })];
  const seen = ["a", "b"].flatMap((area) =>
    ["t", "u"].flatMap((team) => ["x", "y"].map((app): AppName => ({ area, team, app }))),
  );
  const reports: Report[] = [];
  let done = 0;
  let isOver = false;
  let fresh = 0;

  async function reportOne(copy: TestService): Promise<void> {
    const sent = pick([true, true, true, false]) ? pick(seen) : { ...pick(seen), app: `new${fresh++}` };
    if (!seen.some((name) => appKey(name) === appKey(sent))) seen.push(sent);
    const one: Report = { serial: reports.length + 1, sent, metric: pick(metrics), from: done, to: 0 };
    reports.push(one);
    const raw = { critical: 0, high: one.serial % 7, medium: one.serial % 5, serial: one.serial };
    const { status, body } = await post(copy, "/score", {
      ...{ ...sent, env: "prod", scorecard: "security", metric: one.metric, raw },
    });
    one.to = done + 1;
    if (status === 200) {
      const name = (body.moved_to ?? sent) as AppName;
      one.stored = { name, at: Date.parse(String(body.reported_at)) };
    } else expect({ status, code: body.code }).toEqual({ status: 503, code: "store-unavailable" });
  }

  async function reportOn(copy: TestService): Promise<void> {
    while (!isOver || reports.length < 10 * moves) await reportOne(copy);
  }

  /** All moves that were committed, in their order: the audit is written with them. */
  async function committed(): Promise<Move[]> {
    const { rows } = await query(
      databaseUrl,
      "SELECT area, team, app, details -> 'to' AS to FROM audit WHERE action = 'app.move' ORDER BY id",
    );
    return rows.map(({ area, team, app, to }) => ({
      from: { area, ...(team !== null && { team }), ...(app !== null && { app }) },
      to,
    }));
  }

  async function liveNames(): Promise<AppName[]> {
    return (await query(databaseUrl, "SELECT DISTINCT area, team, app FROM scores ORDER BY 1, 2, 3")).rows;
  }

  async function moveOne(number: number): Promise<void> {
    const live = await liveNames();
    if (live.length === 0) return;
    const [one, other] = [pick(live), pick(live)];
    const depth = pick([3, 3, 3, 3, 2, 1]);
    const cut = ({ area, team, app }: AppName): Subtree => ({
      area,
      ...(depth > 1 && { team }),
      ...(depth > 2 && { app }),
    });
    const newName = { area: `a${number}`, team: depth > 1 ? `t${number}` : one.team, app: `p${number}` };
    const mostlySame = { area: pick([one.area, newName.area]), team: pick([one.team, newName.team]), app: newName.app };
    const target = cut(pick([other, depth === 3 ? mostlySame : newName, pick(seen)]));
    const copy = pick(copies);
    const sent = post(copy, "/apps/move", { from: cut(one), to: target, merge: pick([true, true, false]) });
    if (number % 10 === 5) {
      await query(
        databaseUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name IN ('maturity-service', 'maturity-service background')`,
      );
    }
    const { status, body } = await sent;
    expect([200, 400, 404, 409, 503], JSON.stringify(body)).toContain(status);
    done = (await committed()).length;
  }

  const reporters = copies.flatMap((copy) => [reportOn(copy), reportOn(copy), reportOn(copy)]);
  for (let number = 0; number < 10 * moves && done < moves; number++) await moveOne(number);
  isOver = true;
  await Promise.all(reporters);

  const all = await committed();
  expect(all.length).toBeGreaterThanOrEqual(moves);
  const renamed = (name: AppName, { from, to }: Move) => (isWithin(name, from) ? { ...name, ...to } : name);
  /** Is a name the former one of something after so many moves, so that nothing can be stored under it? */
  const isFormer = (name: AppName, count: number) => {
    let former: Move[] = [];
    for (const move of all.slice(0, count)) {
      former = [...former.filter(({ from }) => JSON.stringify(from) !== JSON.stringify(move.to)), move];
    }
    return former.some(({ from }) => isWithin(name, from));
  };
  const expected = new Map<string, { at: number; serials: Set<number> }>();
  let acknowledged = 0;
  for (const { stored, metric, serial, from, to } of reports) {
    if (!stored) continue;
    acknowledged++;
    let epoch = Math.min(to, all.length);
    while (epoch > from && isFormer(stored.name, epoch)) epoch--;
    expect(isFormer(stored.name, epoch), `report ${serial} was stored under a former name`).toBe(false);
    const key = `${appKey(all.slice(epoch).reduce(renamed, stored.name))}\t${metric}`;
    const known = expected.get(key);
    if (!known || stored.at > known.at) expected.set(key, { at: stored.at, serials: new Set([serial]) });
    else if (stored.at === known.at) known.serials.add(serial);
  }
  expect(acknowledged).toBeGreaterThan(reports.length / 2);

  const { rows } = await query(
    databaseUrl,
    "SELECT area, team, app, metric, (raw ->> 'serial')::int AS serial, id, score::float8 AS score FROM scores",
  );
  const unacknowledged = new Set(reports.flatMap(({ serial, stored }) => (stored ? [] : [serial])));
  const keys = rows.map((row) => `${appKey(row)}\t${row.metric}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const [place, { serial }] of rows.entries()) {
    const known = expected.get(keys[place] ?? "");
    expect(unacknowledged.has(serial) || known?.serials.has(serial), `${keys[place]} holds ${serial}`).toBe(true);
  }
  expect([...expected.keys()].filter((key) => !keys.includes(key))).toEqual([]);

  const { rows: broken } = await query(
    databaseUrl,
    `WITH line AS (
       SELECT score_id, at, former, score, lag(score) OVER own AS before, lead(at) OVER own IS NULL AS is_last
       FROM score_changes WINDOW own AS (PARTITION BY score_id ORDER BY at)
     )
     SELECT * FROM line LEFT JOIN scores ON id = score_id
     WHERE former IS DISTINCT FROM before OR id IS NULL
       OR (is_last AND (line.score, at, former) IS DISTINCT FROM (scores.score, changed_at, former_score))`,
  );
  expect(broken).toEqual([]);

  const live = new Set((await liveNames()).map(appKey));
  for (const { server } of copies) {
    const samples = parseExposition((await server.inject("/metrics?collect[]=scores")).payload);
    expect(new Set(samples.map(({ labels }) => appKey(labels as unknown as AppName)))).toEqual(live);
  }
  process.stdout.write(
    `${reports.length} reports, ${acknowledged} acknowledged, ${all.length} moves, ${live.size} apps\n`,
  );
});
