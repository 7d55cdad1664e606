/** The share of one holder, such as a connection. */
export interface Share {
  /**
   * Takes more. Beyond the limit, holders that may be cut off are cut off in their order.
   *
   * @returns false if the limit is exceeded and no holder is left to cut off
   */
  grow(by: number): boolean;
  /** Allows the holder to be cut off, after those that allowed it before. Its share is released first. */
  yields(cutOff: () => void): void;
  /** Forbids to cut the holder off. */
  stays(): void;
  release(): void;
}

/**
 * Limits what is held at the pace of clients: open connections, arriving bodies, unread answers. To make room for a new
 * holder, the one that has been idle longest is cut off.
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
