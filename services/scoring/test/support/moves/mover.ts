import pg from "pg";
import { onTestFinished } from "vitest";
import { type AppName, appKey, type Subtree } from "../../../src/model/app-name.ts";
import { parseExposition } from "../exposition-parser.ts";
import { type Action, isFormer, isWithin } from "./model.ts";
import type { Scene } from "./reporters.ts";
import { type Sent, send } from "./send.ts";

/** Moves, retires and restores applications, one step after the other. */
export interface Mover {
  /** How many moves and merges were done so far. */
  moves(): number;
  /**
   * Does one thing at random, or two at once, and finds out what came of it.
   *
   * @param disturb runs meanwhile
   */
  step(number: number, disturb: (action: UnderWay) => Promise<void>): Promise<void>;
}

/** What is just being done. */
export interface UnderWay {
  /** Which of the instances was asked first. */
  readonly instance: number;
  /** Waits until a transaction of an action is under way, and so often looks again. It returns at once where none is left. */
  inside(looks: number): Promise<void>;
}

/** Makes a mover for the applications of a database. */
export async function useMover(databaseUrl: string, scene: Scene): Promise<Mover> {
  const { addresses, pick, model, seen, wrong } = scene;
  const [client, watcher] = [await useClient(databaseUrl), await useClient(databaseUrl)];
  let lastEntry = 0;
  let moves = 0;

  async function names(which: string): Promise<AppName[]> {
    return (
      await client.query(`SELECT area, team, app FROM applications WHERE retired_at IS ${which} ORDER BY 1, 2, 3`)
    ).rows;
  }

  function anyAction(live: readonly AppName[], retired: readonly AppName[], number: number): Action {
    const one = pick(live);
    const kind = pick(["move", "move", "move", "move", "move", "move", "move", "move", "retire", "restore"] as const);
    if (kind === "restore" && retired.length > 0) return { kind, from: pick(retired) };
    if (kind === "retire" && retired.length < live.length / 4) return { kind, from: one };
    const depth = pick([3, 3, 3, 3, 2, 2, 2, 1]);
    const cut = ({ area, team, app }: AppName): Subtree => ({
      area,
      ...(depth > 1 && { team }),
      ...(depth > 2 && { app }),
    });
    const newName = { area: `a${number}`, team: `t${number}`, app: `p${number}` };
    const nearby = { area: pick([one.area, newName.area]), team: pick([one.team, newName.team]), app: newName.app };
    const target = pick([
      depth === 3 ? nearby : newName,
      depth === 3 ? nearby : newName,
      pick(live),
      pick(seen),
      pick(seen),
    ]);
    return { kind: "move", from: cut(one), to: cut(target), merge: pick([true, true, true, false]) };
  }

  async function sendAction(action: Action, instance: number): Promise<Sent> {
    const { kind, from } = action;
    const body =
      kind === "move"
        ? { from, to: action.to, merge: action.merge }
        : { ...from, ...(kind === "retire" && { reason: "gone" }) };
    for (let turn = instance; ; turn++) {
      const sent = await send(addresses[turn % addresses.length] as string, `/apps/${kind}`, body);
      if (sent.outcome !== "unsent") return sent;
    }
  }

  /** The actions that were committed since the last time, in their order. While this waits for the lock of actions, none is under way. */
  async function committed(): Promise<string[]> {
    await client.query("BEGIN");
    await client.query("SELECT FROM roll_ups_until FOR UPDATE");
    const { rows } = await client.query(
      "SELECT id, action, area, team, app, details FROM audit WHERE action LIKE 'app.%' AND id > $1 ORDER BY id",
      [lastEntry],
    );
    await client.query("COMMIT");
    lastEntry = rows.at(-1)?.id ?? lastEntry;
    return rows.map(({ action, area, team, app, details: { to, merge } }) =>
      entryOf(action.slice("app.".length), { area, team, app }, to, merge),
    );
  }

  /** Compares what was answered with what was committed, and shows the model. */
  function settle(actions: readonly Action[], sent: readonly Sent[], done: readonly string[]): Action[] {
    const left = actions.map((action, place) => ({ action, sent: sent[place] as Sent }));
    const settled: Action[] = [];
    for (const key of done) {
      const same = left.filter(({ action }) => keyOf(action) === key);
      // Of two equal actions the one that was done is the one that was committed, whatever became of the other.
      const found = same.find(({ sent }) => isDone(sent)) ?? same.find(({ sent }) => !isRefused(sent)) ?? same.at(0);
      if (found) left.splice(left.indexOf(found), 1);
      if (!found || isRefused(found.sent))
        wrong.push(`${key} was committed: ${JSON.stringify(found?.sent ?? "not sent")}`);
      else settled.push(found.action);
    }
    for (const { action, sent } of left) {
      if (isDone(sent)) wrong.push(`${keyOf(action)} was not committed`);
    }
    return settled;
  }

  /** No series of a name that has just become a former one. */
  async function expectGone({ from: { area, team, app } }: Action): Promise<void> {
    const filter = new URLSearchParams({
      area,
      ...(team !== undefined && { team }),
      ...(app !== undefined && { app }),
    });
    const path = `/metrics?collect[]=scores&collect[]=problems&${filter}`;
    const response = await fetch(`${pick(addresses)}${path}`).catch(() => undefined);
    if (!response?.ok) return;
    for (const { labels } of parseExposition(await response.text())) {
      const name = labels as unknown as AppName;
      if (isFormer(model, name) || model.isRetired(name)) wrong.push(`a series of ${appKey(name)}`);
    }
  }

  async function inside(looks: number, isOver: () => boolean): Promise<void> {
    for (let left = looks; left > 0 && !isOver(); ) {
      const { rows } = await watcher.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL
           AND application_name = 'maturity-service background'`,
      );
      if (rows.length > 0) left--;
    }
  }

  return {
    moves: () => moves,
    async step(number, disturb) {
      const [live, retired] = [await names("NULL"), await names("NOT NULL")];
      if (live.length === 0) return;
      const actions = Array.from({ length: pick([1, 1, 1, 2]) }, (_, place) =>
        anyAction(live, retired, 2 * number + place),
      );
      scene.hot = [...live, ...seen].filter((name) => actions.some(({ from }) => isWithin(name, from))).slice(0, 20);
      scene.underWay = actions.length;
      const instance = pick(addresses.map((_, place) => place));
      let isOver = false;
      const sent = Promise.all(actions.map((action, place) => sendAction(action, instance + place))).finally(() => {
        isOver = true;
      });
      await disturb({ instance, inside: (looks) => inside(looks, () => isOver) });
      const settled = settle(actions, await sent, await sent.then(committed));
      for (const action of settled) {
        model.add(action);
        if (action.kind === "move") moves++;
        if (action.kind === "move")
          seen.push(
            ...scene.hot.filter((name) => isWithin(name, action.from)).map((name) => ({ ...name, ...action.to })),
          );
      }
      scene.underWay = 0;
      await Promise.all(settled.map(expectGone));
      for (const one of await sent) {
        const fits =
          one.outcome === "lost" || (one.outcome === "answered" && [200, 400, 404, 409, 503].includes(one.status));
        if (!fits) wrong.push(JSON.stringify(one));
      }
    },
  };
}

async function useClient(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

function isDone(sent: Sent): boolean {
  return sent.outcome === "answered" && sent.status === 200;
}

/** Did the answer say that nothing is changed? Where the database went away in between, nobody knows. */
function isRefused(sent: Sent): boolean {
  if (sent.outcome !== "answered" || sent.status === 200) return false;
  return sent.status !== 503 || /nothing is changed/.test(String(sent.body.message));
}

function keyOf(action: Action): string {
  return action.kind === "move"
    ? entryOf(action.kind, action.from, action.to, action.merge)
    : entryOf(action.kind, action.from);
}

function entryOf(kind: string, from: Nullable<Subtree>, to?: Subtree, merge?: boolean): string {
  const named = (name?: Nullable<Subtree>) =>
    [name?.area, name?.team, name?.app].filter((one) => one != null).join("/");
  return `${kind} ${named(from)} to ${named(to)} ${merge === true}`;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };
