import { setImmediate as turn } from "node:timers/promises";
import { createEngine } from "@maturity/core";
import { expect, test, vi } from "vitest";
import { createRollUpReader } from "../rollups/roll-ups.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { createSnapshots, type Wanted } from "./snapshots.ts";

const engine = createEngine([]);
const patient = new AbortController().signal;

function wanted(area: string): Wanted {
  return { format: "text/plain", families: ["scores"], filter: { area: [area] } };
}

/** A database that is never reached, and whose connections come when the test says so. */
function unreached() {
  const database: Database = openDatabase("postgres://127.0.0.1:1/none", 1);
  const acquired: PromiseWithResolvers<never>[] = [];
  vi.spyOn(database.scrapes.client, "acquireConnection").mockImplementation(() => {
    const connection = Promise.withResolvers<never>();
    acquired.push(connection);
    return connection.promise;
  });
  return {
    snapshots: createSnapshots({
      rules: { ...engine, applies: [] },
      database,
      rollUps: createRollUpReader(database, engine),
    }),
    acquired,
  };
}

test("two are made at a time, and what waits ends with its signal", async () => {
  const { snapshots, acquired } = unreached();
  const late = new AbortController();
  const refused = ["a", "b", "c"].map((area) =>
    expect(snapshots.take(wanted(area), true, late.signal)).rejects.toThrow("late"),
  );
  await turn();
  expect(acquired).toHaveLength(2);
  late.abort(new Error("late"));
  await Promise.all(refused);
});

test("whoever asks before the snapshot is begun shares it, and all of them get a failure", async () => {
  const { snapshots, acquired } = unreached();
  const failed = [1, 2, 3].map(() =>
    expect(snapshots.take(wanted("a"), true, patient)).rejects.toMatchObject({ code: "store-unavailable" }),
  );
  await turn();
  expect(acquired).toHaveLength(1);
  acquired[0]?.reject(new Error("no connection"));
  await Promise.all(failed);
});

test("a failure makes way for the next, and who is gone is passed over", async () => {
  const { snapshots, acquired } = unreached();
  const [gone, late] = [new AbortController(), new AbortController()];
  const failed = ["a", "b"].map((area) => expect(snapshots.take(wanted(area), true, patient)).rejects.toThrow());
  const passed = expect(snapshots.take(wanted("c"), true, gone.signal)).rejects.toThrow("gone");
  const next = expect(snapshots.take(wanted("d"), true, late.signal)).rejects.toThrow("late");
  await turn();
  gone.abort(new Error("gone"));
  for (const connection of acquired.splice(0)) connection.reject(new Error("no connection"));
  await Promise.all([...failed, passed]);
  await turn();
  expect(acquired).toHaveLength(1);
  late.abort(new Error("late"));
  await next;
});
