import type { Readable } from "node:stream";
import type { Engine } from "@maturity/core";
import { ServiceError } from "../model/errors.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import type { RollUpReader } from "../rollups/roll-ups.ts";
import type { Database } from "../store/database.ts";
import { exposition, type Format } from "./exposition.ts";
import { open, pack } from "./packed.ts";
import { readSamples } from "./scrape.ts";
import type { Family } from "./series.ts";
import { createSnapshotMemory } from "./snapshot-memory.ts";

/** How long a scrape may wait until its snapshot begins, in milliseconds. */
const startLimitMs = 30_000;

/** Compressed size of all snapshots together, in bytes. It is enough for about seven million series. */
const memoryLimitBytes = 64 * 1_048_576;

/** A snapshot that has received nothing for this long may be stuck, in milliseconds. */
const stuckAfterMs = 5_000;

/** The content of a snapshot. */
export interface Wanted {
  readonly format: Format;
  readonly families: readonly Family[];
  readonly filter: TargetFilter;
}

/** A client that asks for a snapshot. */
export interface Asker {
  /** Does the client accept gzip? */
  readonly gzip: boolean;
  /** Is the client still connected? */
  waits(): boolean;
}

/** A whole snapshot for one reader. */
export interface SnapshotBody {
  readonly body: Readable;
  /** Of the body, in bytes. */
  readonly length: number;
}

/** The snapshots from which scrapes are answered. */
export interface Snapshots {
  /**
   * Returns a snapshot that is taken after this call. Clients that ask for the same content share one.
   *
   * @throws ServiceError `store-unavailable`; `overloaded` if it has to wait for 30 s, or if the memory is full
   */
  take(wanted: Wanted, asker: Asker): Promise<SnapshotBody>;
  /** Is a snapshot in progress, and has the database sent something for it in the last seconds? */
  moving(): boolean;
}

interface Job {
  readonly wanted: Wanted;
  readonly askers: (Asker & PromiseWithResolvers<SnapshotBody>)[];
  readonly timer: NodeJS.Timeout;
}

/**
 * Makes snapshots at the pace of the database, independent of the readers. Of each content, at most one is in progress
 * and one waits; at most as many are in progress as there are connections for scrapes. So no reader holds a connection,
 * and any number of simultaneous scrapes costs the database two snapshots.
 *
 * @param onCutOff called for each reader that is cut off to free memory
 */
export function createSnapshots(
  { engine, database, rollUps }: { engine: Engine; database: Database; rollUps: RollUpReader },
  onCutOff: () => void = () => {},
): Snapshots {
  const connections: number = database.scrapes.client.pool.max;
  const newShare = createSnapshotMemory(memoryLimitBytes, onCutOff);
  /** Waiting jobs, in the order of their first request. A client with the same content joins one. */
  const waiting = new Map<string, Job>();
  const running = new Set<string>();
  let movedAt = Number.NEGATIVE_INFINITY;

  function startNext(): void {
    for (const [key, job] of waiting) {
      if (running.size === connections) return;
      if (running.has(key)) continue;
      if (job.askers.some(({ waits }) => waits())) void run(key, job);
      else refuse(key, job, new ServiceError("overloaded", "the caller did not wait for the answer"));
    }
  }

  async function run(key: string, job: Job): Promise<void> {
    running.add(key);
    const share = newShare();
    const { wanted, askers } = job;
    try {
      const isRolled = wanted.families.some((family) => family === "rollups" || family === "levels");
      const rolled = isRolled ? await rollUps.read(wanted.filter) : undefined;
      const packed = await readSamples({ database, engine }, wanted.filter, (samples) => {
        close(key, job); // whoever asks from here on gets a later one
        share.release(); // what a replica broke off is read again
        const content = exposition(new Set(wanted.families), { samples, rollUps: rolled }, wanted.format);
        return pack(moved(content), share.grow);
      });
      for (const { gzip, resolve } of askers) {
        const body = open(packed, gzip);
        share.keepFor(body);
        resolve({ body, length: gzip ? packed.packedLength : packed.length });
      }
    } catch (error) {
      refuse(key, job, error);
    } finally {
      share.release();
      running.delete(key);
      startNext();
    }
  }

  async function* moved<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const piece of pieces) {
      movedAt = performance.now();
      yield piece;
    }
  }

  /** Removes a job from those that can be joined. */
  function close(key: string, job: Job): void {
    clearTimeout(job.timer);
    if (waiting.get(key) === job) waiting.delete(key);
  }

  function refuse(key: string, job: Job, error: unknown): void {
    close(key, job);
    for (const { reject } of job.askers.splice(0)) reject(error);
  }

  return {
    take(wanted, asker) {
      const key = keyOf(wanted);
      const job = waiting.get(key) ?? newJob(key, wanted);
      const promised = Promise.withResolvers<SnapshotBody>();
      job.askers.push({ ...asker, ...promised });
      startNext();
      return promised.promise;
    },
    moving: () => running.size > 0 && performance.now() - movedAt < stuckAfterMs,
  };

  function newJob(key: string, wanted: Wanted): Job {
    const late = () =>
      refuse(key, job, new ServiceError("overloaded", "too many scrapes at a time; try again shortly"));
    const job: Job = { wanted, askers: [], timer: setTimeout(late, startLimitMs) };
    waiting.set(key, job);
    return job;
  }
}

/** Identifies the content of a snapshot. */
function keyOf({ format, families, filter }: Wanted): string {
  const sorted = (values: readonly string[] = []) => [...new Set(values)].sort();
  const { area, team, app, env } = filter;
  return JSON.stringify([format, ...[families, area, team, app, env].map(sorted)]);
}
