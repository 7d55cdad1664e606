import type { Socket } from "node:net";
import type pg from "pg";

/** A pooled connection, with members that the driver's types lack. */
export type OpenClient = pg.Client & {
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
};

/** Closes the connection if the server sends nothing for this long while an answer is due, in milliseconds. */
export function endWhenSilent(client: pg.Client, silenceMs: number): void {
  const open = client as OpenClient;
  const { stream } = open.connection;
  stream.setTimeout(silenceMs).on("timeout", () => {
    if (open.readyForQuery) return; // idle, though a query may be sent within this turn of the event loop
    const { bytesRead } = stream;
    // After a stall of this process the answer may have arrived, but timers run before it is read.
    setImmediate(() => {
      if (!open.readyForQuery && stream.bytesRead === bytesRead) stream.destroy();
    });
  });
}

/**
 * The URL of a PostgreSQL with the mode of TLS that the driver applies. It checks certificates in full in every mode but
 * `disable` and `no-verify`, and prints a warning about modes that mean less elsewhere.
 */
export function withAppliedMode(url: string): string {
  const asElsewhere = /[?&]uselibpqcompat=/.test(url);
  return asElsewhere ? url : url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, "verify-full");
}
