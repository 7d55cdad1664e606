import { createEngine } from "@maturity/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRollUpReader } from "../rollups/roll-ups.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { createSnapshots, type Wanted } from "./snapshots.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const engine = createEngine([]);
const asker = { gzip: true, waits: () => true };

function wanted(area: string): Wanted {
  return { format: "text", families: ["scores"], filter: { area: [area] } };
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
  return { snapshots: createSnapshots({ engine, database, rollUps: createRollUpReader(database, engine) }), acquired };
}

test("two are made at a time, and what waits for half a minute is refused", async () => {
  const { snapshots, acquired } = unreached();
  const refused = ["a", "b", "c"].map((area) =>
    expect(snapshots.take(wanted(area), asker)).rejects.toMatchObject({ code: "overloaded" }),
  );
  expect(acquired).toHaveLength(2);
  vi.advanceTimersByTime(30_000);
  await Promise.all(refused);
});

test("whoever asks before the snapshot is begun shares it, and a failure is told to all of them", async () => {
  const { snapshots, acquired } = unreached();
  const told = [1, 2, 3].map(() =>
    expect(snapshots.take(wanted("a"), asker)).rejects.toMatchObject({ code: "store-unavailable" }),
  );
  expect(acquired).toHaveLength(1);
  acquired[0]?.reject(new Error("no connection"));
  await Promise.all(told);
});

test("a failure makes way for the next, and who is gone is passed over", async () => {
  const { snapshots, acquired } = unreached();
  const failed = ["a", "b"].map((area) => expect(snapshots.take(wanted(area), asker)).rejects.toThrow());
  const gone = expect(snapshots.take(wanted("c"), { ...asker, waits: () => false })).rejects.toThrow();
  const next = expect(snapshots.take(wanted("d"), asker)).rejects.toMatchObject({ code: "overloaded" });
  for (const connection of acquired.splice(0)) connection.reject(new Error("no connection"));
  await Promise.all([...failed, gone]);
  expect(acquired).toHaveLength(1);
  vi.advanceTimersByTime(30_000);
  await next;
});
