import type { Readable } from "node:stream";
import { createRoom, type Share } from "../http/room.ts";
import { ServiceError } from "../model/errors.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import type { Rules } from "../policy/rules.ts";
import { filterKey } from "../rollups/by-filter.ts";
import type { RollUpReader } from "../rollups/roll-ups.ts";
import { shareAnswers } from "../store/cache.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot } from "../store/lines.ts";
import { createQueue } from "../store/queue.ts";
import { exposition, type Format, type Samples } from "./exposition.ts";
import { open, type Packed, pack } from "./packed.ts";
import type { Family } from "./series.ts";

/** Largest compressed size of all snapshots together, in bytes: enough for about seven million series. */
const memoryLimitBytes = 64 * 1_048_576;

/** A snapshot without data for this long may be stuck, in milliseconds. */
const stuckAfterMs = 5_000;

/** The content of a snapshot. */
export interface Wanted {
  readonly format: Format;
  readonly families: readonly Family[];
  readonly filter: TargetFilter;
}

/** A whole snapshot for one reader. */
export interface SnapshotBody {
  readonly body: Readable;
  /** Of the body, in bytes. */
  readonly length: number;
}

/** The snapshots that answer scrapes. */
export interface Snapshots {
  /**
   * Returns a snapshot that is taken after this call. Clients that want the same content share one.
   *
   * @param signal ends the waiting until the snapshot begins
   * @throws ServiceError `store-unavailable`; `overloaded` if the memory is full; the reason of the signal
   */
  take(wanted: Wanted, gzip: boolean, signal: AbortSignal): Promise<SnapshotBody>;
  /** Whether a snapshot is in progress and has received data in the last seconds. */
  moving(): boolean;
}

/** A snapshot in memory. */
interface Snapshot {
  readonly packed: Packed;
  readonly share: Share;
  readonly readers: Set<Readable>;
}

/**
 * Takes snapshots at the pace of the database, independent of readers. Of each content, at most one is in progress and
 * one waits; at most as many are in progress as there are connections for scrapes. So no reader holds a connection, and
 * any number of simultaneous scrapes costs the database two snapshots. If the memory runs out, the readers that have
 * held a snapshot longest are cut off.
 *
 * @param onCutOff called for each reader that is cut off to free memory
 */
export function createSnapshots(
  { rules, database, rollUps }: { rules: Omit<Rules, "levels">; database: Database; rollUps: RollUpReader },
  onCutOff: () => void = () => {},
): Snapshots {
  const connections: number = database.scrapes.client.pool.max;
  const queue = createQueue({ atOnce: connections, waiting: Number.POSITIVE_INFINITY }); // bounded by the scrapes of the process
  const newShare = createRoom(memoryLimitBytes);
  let running = 0;
  let movedAt = Number.NEGATIVE_INFINITY;

  const shared = shareAnswers<Wanted, Snapshot>(
    ({ questions: [wanted], signal, begin }) => queue.run(signal, () => make(wanted, begin)),
    { keyOf },
  );

  async function make({ families, filter, format }: Wanted, begin: () => void): Promise<Snapshot> {
    running++;
    const share = newShare();
    try {
      const isRolled = families.some((family) => family === "rollups" || family === "levels");
      const rolled = isRolled ? await rollUps.read(filter) : undefined;
      const packed = await readSnapshot(database, database.scrapes, (lines) => {
        begin();
        share.release(); // a read that a replica cancelled begins again
        const samples: Samples = ({ name, select }) =>
          lines(`SELECT '${name}' || sample FROM (${select(rules, filter)}) AS samples (sample)`);
        const content = exposition(new Set(families), { samples, rollUps: rolled }, format);
        return pack(noteProgress(content), (bytes) => {
          if (!share.grow(bytes)) throw tooLarge();
        });
      });
      return { packed, share, readers: new Set() };
    } catch (error) {
      share.release();
      throw error;
    } finally {
      running--;
    }
  }

  async function* noteProgress<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const piece of pieces) {
      movedAt = performance.now();
      yield piece;
    }
  }

  /** Holds the memory until all readers have finished or are gone. */
  function holdFor(reader: Readable, { share, readers }: Snapshot): void {
    readers.add(reader);
    reader.once("close", () => {
      readers.delete(reader);
      if (readers.size === 0) share.release();
    });
    share.yields(() => {
      for (const slow of readers) {
        slow.destroy(new Error("cut off, to make room for another snapshot"));
        onCutOff();
      }
    });
  }

  return {
    async take(wanted, gzip, signal) {
      const snapshot = await shared(wanted, signal);
      const { packed } = snapshot;
      const body = open(packed, gzip);
      holdFor(body, snapshot);
      return { body, length: gzip ? packed.packedLength : packed.length };
    },
    moving: () => running > 0 && performance.now() - movedAt < stuckAfterMs,
  };
}

function tooLarge(): ServiceError {
  const message =
    "scrapes need more memory than there is for them; try again, or ask for less with collect[]=, area=, team=, app= or env=";
  return new ServiceError("overloaded", message);
}

/** Identifies the content of a snapshot. */
function keyOf({ format, families, filter }: Wanted): string {
  return JSON.stringify([format, [...new Set(families)].sort(), filterKey(filter)]);
}
