import type { Readable } from "node:stream";
import { ServiceError } from "../model/errors.ts";

/** What one snapshot keeps in memory. */
export interface Share {
  /**
   * So many bytes more. Past the limit the readers that have held a snapshot longest are cut off.
   *
   * @throws ServiceError `overloaded` when there is nobody left to cut off
   */
  grow(bytes: number): void;
  /** Keeps the share until this reader, and every other one that it is kept for, is through or gone. */
  keepFor(reader: Readable): void;
  /** Gives the bytes back, unless a reader needs them. */
  release(): void;
}

/**
 * Bounds what all snapshots together keep in memory. Readers that are slow must not have others refused: they go first.
 *
 * @param onCutOff is told of each reader who had to go
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
