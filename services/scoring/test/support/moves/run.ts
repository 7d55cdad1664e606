import { randomInt } from "node:crypto";
import { expect } from "vitest";
import { type AppName, appKey, appName } from "../../../src/model/app-name.ts";
import { parseExposition } from "../exposition-parser.ts";
import { post } from "../own-connection.ts";
import { query } from "../postgres.ts";
import { createNamesModel } from "./model.ts";
import { type UnderWay, useMover } from "./mover.ts";
import { type Scene, startReporters } from "./reporters.ts";
import { createPick } from "./send.ts";
import { faultsOfMoves } from "./verify.ts";

/** What a run of moves at random does. */
export interface MovesRun {
  readonly databaseUrl: string;
  /** Of the instances of the service. */
  readonly addresses: readonly string[];
  /** How many moves are to be done, with ten reports for each. */
  readonly moves: number;
  /** Runs beside each step. */
  disturb(number: number, action: UnderWay): Promise<void>;
  /** Runs after the last one, so that all instances answer. */
  settle?(): Promise<void>;
}

/** Others in each run; MOVES_SEED repeats the choices of a former one. */
const seed = Number(process.env.MOVES_SEED ?? randomInt(1, 2 ** 31 - 1));

/** Moves, merges, retires and restores at random while reports come in, and expects that the store holds what a model of it says. */
export async function expectMovesKeepAll({ databaseUrl, addresses, moves, disturb, settle }: MovesRun): Promise<void> {
  process.stdout.write(`MOVES=${moves} MOVES_SEED=${seed}\n`);
  const scene: Scene = {
    ...{ addresses, pick: createPick(seed), model: createNamesModel(), underWay: 0, hot: [], wrong: [] },
    seen: ["a", "b"].flatMap((area) =>
      ["t", "u"].flatMap((team) => ["x", "y"].map((app): AppName => ({ area, team, app }))),
    ),
  };
  const reporters = startReporters(scene);
  const mover = await useMover(databaseUrl, scene);
  for (let number = 0; mover.moves() < moves && scene.wrong.length === 0; number++) {
    await reporters.allow(10 * (mover.moves() + 5));
    await mover.step(number, (action) => disturb(number, action));
  }
  await reporters.finish();
  await settle?.();
  const { reports } = reporters;
  expect(scene.wrong).toEqual([]);
  const faults = await faultsOfMoves(databaseUrl, scene.model, reports);
  if (faults.length > 0)
    process.stdout.write(`${scene.model.actions.map((action) => JSON.stringify(action)).join("\n")}\n`);
  expect(faults.slice(0, 20)).toEqual([]);
  await expectScraped(databaseUrl, addresses);
  for (const address of addresses) await expectFound(address, scene);
  const acknowledged = reports.filter(({ outcome }) => outcome === "acknowledged").length;
  expect(acknowledged).toBeGreaterThan(reports.length / 2);
  process.stdout.write(`${reports.length} reports, ${acknowledged} acknowledged, ${mover.moves()} moves\n`);
}

/** A report under any name comes to the application that had the name first, or is refused if that is retired. */
async function expectFound(address: string, { seen, model }: Scene): Promise<void> {
  const names = [...new Map(seen.map((name) => [appKey(name), appName(name)])).values()];
  const rest = { env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };
  const report = (names: readonly AppName[]) =>
    post(address, "/scores", { scores: names.map((name) => ({ ...name, ...rest })) }).then((answer) => answer.json());
  const [gone, live] = [true, false].map((isGone) =>
    names.filter((name) => model.names(name).every((one) => model.isRetired(one) === isGone)).slice(0, 1_000),
  ) as [AppName[], AppName[]];
  const { scores = [] } = (await report(live)) as { scores?: (AppName & { moved_to?: AppName })[] };
  const found = scores.map(({ moved_to, ...sent }) => moved_to ?? appName(sent));
  expect(found).toEqual(
    live.map((name, place) => {
      const names = model.names(name);
      return names.find((one) => appKey(one) === appKey(found[place] ?? name)) ?? names[0];
    }),
  );
  if (gone.length === 0) return;
  const { code, details } = (await report(gone)) as { code?: string; details?: object[] };
  expect({ code, refused: details?.length }).toEqual({ code: "app-retired", refused: Math.min(gone.length, 100) });
}

/** Every instance shows the scores and problems that are stored, and no others. */
async function expectScraped(databaseUrl: string, addresses: readonly string[]): Promise<void> {
  const { rows } = await query(
    databaseUrl,
    `SELECT 'maturity_score' || labels || ' ' || score::float8 AS line FROM scores_by_name
     UNION ALL SELECT 'maturity_problem_count' || labels || ' ' || count FROM problems_by_name`,
  );
  const stored = rows.map(({ line }) => line).sort();
  for (const address of addresses) {
    const text = await (await fetch(`${address}/metrics?collect[]=scores&collect[]=problems`)).text();
    parseExposition(text);
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines.map((line) => line.replace(/ (\S+)$/, (_, value) => ` ${Number(value)}`)).sort()).toEqual(stored);
  }
}
