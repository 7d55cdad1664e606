import type { Readable } from "node:stream";
import type { Engine } from "@maturity/core";
import { ServiceError } from "../model/errors.ts";
import type { Database } from "../store/database.ts";
import { exposition, type Format } from "./exposition.ts";
import type { Family } from "./families.ts";
import { open, pack } from "./packed.ts";
import { readSnapshot, type ScrapeFilter } from "./scrape.ts";
import { createSnapshotMemory } from "./snapshot-memory.ts";

/** How long a scrape may wait for others before its snapshot is begun, in milliseconds. */
const startLimitMs = 30_000;

/** What all snapshots together may keep, compressed: about seven million series. */
const memoryLimitBytes = 64 * 1_048_576;

/** A snapshot that is being made and got nothing for so long may be stuck, in milliseconds. */
const stuckAfterMs = 5_000;

/** What a snapshot shows. */
export interface Wanted {
  readonly format: Format;
  readonly families: readonly Family[];
  readonly filter: ScrapeFilter;
}

/** Who asks for a snapshot. */
export interface Asker {
  /** Does he take it compressed? */
  readonly gzip: boolean;
  /** Is he still there? */
  waits(): boolean;
}

/** A whole snapshot for one reader. */
export interface Answer {
  readonly body: Readable;
  /** Of the body, in bytes. */
  readonly length: number;
}

/** The snapshots that scrapes are answered from. */
export interface Snapshots {
  /**
   * A snapshot that is taken after this call. Those who ask for the same share it.
   *
   * @throws ServiceError `store-unavailable`; `overloaded` when others keep it waiting for 30 s, or memory is full
   */
  take(wanted: Wanted, asker: Asker): Promise<Answer>;
  /** Is one being made, and did the database give something of it within the last seconds? */
  moving(): boolean;
}

interface Job {
  readonly wanted: Wanted;
  readonly askers: (Asker & PromiseWithResolvers<Answer>)[];
  readonly timer: NodeJS.Timeout;
}

/**
 * Makes snapshots at the database's pace, whoever reads them: of each kind at most one that is being made and one that
 * waits, and at a time as many as there are connections for scrapes. So no reader holds a connection, and any number of
 * scrapes at once costs the database two snapshots.
 *
 * @param onCutOff is told of each reader who had to go for want of memory
 */
export function createSnapshots(
  { engine, database }: { engine: Engine; database: Database },
  onCutOff: () => void = () => {},
): Snapshots {
  const connections: number = database.scrapes.client.pool.max;
  const newShare = createSnapshotMemory(memoryLimitBytes, onCutOff);
  /** Those that may be joined, in the order in which they were asked for. */
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
      const packed = await readSnapshot(database, wanted.filter, (samples) => {
        close(key, job); // whoever asks from here on gets a later one
        return pack(moved(exposition(new Set(wanted.families), engine, samples, wanted.format)), share.grow);
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

  /** Lets nobody join it any more. */
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
      const promised = Promise.withResolvers<Answer>();
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

/** Names what a snapshot shows: the same for the same lines. */
function keyOf({ format, families, filter }: Wanted): string {
  const sorted = (values: readonly string[] = []) => [...new Set(values)].sort();
  const { area, team, app, env } = filter;
  return JSON.stringify([format, ...[families, area, team, app, env].map(sorted)]);
}
