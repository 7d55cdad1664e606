/** What one holder takes of a room. */
export interface Share {
  /**
   * Takes more. Beyond the limit, those that may be cut off are, the first of them first.
   *
   * @returns false if the limit is exceeded and nobody is left to be cut off
   */
  grow(by: number): boolean;
  /** From now on the holder may be cut off for others, after those that said so before. Its share is released first. */
  yields(cutOff: () => void): void;
  /** The holder may not be cut off any more. */
  stays(): void;
  release(): void;
}

/**
 * Bounds what is held at the pace of others: open connections, bodies on their way, answers that nobody has read yet. To
 * make room for a new holder, the one that has kept others waiting longest is cut off.
 *
 * @returns a function that makes an empty share
 */
export function createRoom(limit: number): () => Share {
  const yielding = new Map<Share, () => void>();
  let held = 0;

  function makeRoom(): boolean {
    while (held > limit) {
      const [first] = yielding;
      if (!first) return false;
      const [share, cutOff] = first;
      share.release();
      cutOff();
    }
    return true;
  }

  return () => {
    let size = 0;
    const share: Share = {
      grow(by) {
        size += by;
        held += by;
        return makeRoom();
      },
      yields(cutOff) {
        yielding.delete(share);
        yielding.set(share, cutOff);
      },
      stays: () => void yielding.delete(share),
      release() {
        yielding.delete(share);
        held -= size;
        size = 0;
      },
    };
    return share;
  };
}
