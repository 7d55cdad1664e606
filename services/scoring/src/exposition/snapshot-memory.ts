import type { Readable } from "node:stream";
import { ServiceError } from "../model/errors.ts";

/** The memory of one snapshot. */
export interface Share {
  /**
   * Adds bytes. Beyond the limit, the readers that have held a snapshot longest are cut off.
   *
   * @throws ServiceError `overloaded` if there is no reader left to cut off
   */
  grow(bytes: number): void;
  /** Keeps the memory until this reader, and every other one passed here, has finished or is gone. */
  keepFor(reader: Readable): void;
  /** Releases the memory, unless a reader still needs it. */
  release(): void;
}

/**
 * Bounds the memory of all snapshots together. If it runs out, slow readers are cut off, so that others are not refused
 * because of them.
 *
 * @param onCutOff called for each reader that is cut off
 */
export function createSnapshotMemory(limitBytes: number, onCutOff: () => void): () => Share {
  /** The readers of each snapshot, in the order in which the snapshots became whole. */
  const readers = new Map<Share, Set<Readable>>();
  let usedBytes = 0;

  function cutOffOldest(): void {
    const [oldest] = readers;
    if (!oldest) {
      throw new ServiceError(
        "overloaded",
        "scrapes need more memory than there is for them; try again, or ask for less with collect[]=, area=, team=, app= or env=",
      );
    }
    const [share, slow] = oldest;
    readers.delete(share);
    share.release();
    for (const reader of slow) {
      reader.destroy(new Error("cut off, to make room for another snapshot"));
      onCutOff();
    }
  }

  return () => {
    let bytes = 0;
    const share: Share = {
      grow(more) {
        bytes += more;
        usedBytes += more;
        while (usedBytes > limitBytes) cutOffOldest();
      },
      keepFor(reader) {
        const mine = readers.get(share) ?? new Set();
        readers.set(share, mine.add(reader));
        reader.once("close", () => {
          mine.delete(reader);
          if (mine.size === 0) readers.delete(share);
          share.release();
        });
      },
      release() {
        if (readers.has(share)) return;
        usedBytes -= bytes;
        bytes = 0;
      },
    };
    return share;
  };
}
