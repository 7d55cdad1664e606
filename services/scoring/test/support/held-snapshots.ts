import { onTestFinished, vi } from "vitest";
import { type TestService, until } from "./service.ts";

/** Snapshots that are read whole and then kept open. */
export interface HeldSnapshots {
  /** How many snapshots were begun. */
  taken(): number;
  /** Waits until so many are held at a time. */
  held(count: number): Promise<void>;
  /** Lets those that are held, and all further ones, come to their end. */
  release(): void;
}

type Query = (...values: unknown[]) => unknown;

/** Holds all snapshots of a service on PostgreSQL just before the commit that ends them, for one test. */
export function holdSnapshots({ database }: Pick<TestService, "database">): HeldSnapshots {
  const { client } = database.scrapes;
  const gate = Promise.withResolvers<void>();
  onTestFinished(() => gate.resolve());
  const acquire = client.acquireConnection.bind(client);
  const seen = new WeakSet<object>();
  let taken = 0;
  let held = 0;

  function holdCommits(connection: { query: Query }): void {
    if (seen.has(connection)) return;
    seen.add(connection);
    const query: Query = connection.query.bind(connection);
    vi.spyOn(connection, "query").mockImplementation((...values) => {
      if (values[0] !== "COMMIT") return query(...values);
      held++;
      return gate.promise.then(() => query(...values));
    });
  }

  vi.spyOn(client, "acquireConnection").mockImplementation(async () => {
    const connection = await acquire();
    taken++;
    holdCommits(connection);
    return connection;
  });
  return { taken: () => taken, held: (count) => until(() => held === count), release: gate.resolve };
}
