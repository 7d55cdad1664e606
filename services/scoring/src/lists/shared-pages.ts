import { LRUCache } from "lru-cache";
import type { Position } from "./cursor.ts";

/** Characters of the pages that are kept for streams which are a little behind. */
const maxCharacters = 8 * 1_048_576;

/** A page of a stream. */
export interface PageText {
  readonly text: string;
  /** The end of the page if another one follows. */
  readonly end: Position | undefined;
}

/** A stream that needs a page. */
interface Asker {
  /** When it began, by the clock of `createSharedPages`. */
  readonly since: number;
  /** Is its reader still there? */
  readonly waits: () => boolean;
}

/** What the making of a page is told. */
interface Making {
  /** To be called right before the page is read. */
  begin(): void;
  /** Does a reader still wait for it? */
  waits(): boolean;
}

/** Pages of the streams that are under way. */
export interface SharedPages {
  /**
   * Gives a page that was read after the stream began: one that is made for another stream, or else a new one. So streams
   * that begin together read each page once, and none of them misses what was written before it began.
   *
   * @param key the same for what is the same to every caller
   * @throws errors of `make`; they are not kept
   */
  take(key: string, asker: Asker, make: (making: Making) => Promise<PageText>): Promise<PageText>;
  /** Forgets all pages. To be called when no stream is left. */
  clear(): void;
}

interface Shared {
  readonly askers: Asker["waits"][];
  begunAt: number;
  readonly page: Promise<PageText>;
}

export function createSharedPages(now: () => number = () => performance.now()): SharedPages {
  const kept = new LRUCache<string, Shared>({ maxSize: maxCharacters });

  function begin(key: string, first: Asker["waits"], make: (making: Making) => Promise<PageText>): Shared {
    const askers = [first];
    const making = {
      begin() {
        shared.begunAt = now();
      },
      waits: () => askers.some((waits) => waits()),
    };
    const shared: Shared = {
      askers,
      begunAt: Number.POSITIVE_INFINITY,
      page: Promise.resolve().then(() => make(making)),
    };
    kept.set(key, shared, { size: 1 });
    const isKept = () => kept.peek(key) === shared;
    shared.page.then(
      ({ text }) => isKept() && kept.set(key, shared, { size: Math.min(text.length + 1, maxCharacters) }),
      () => isKept() && kept.delete(key),
    );
    return shared;
  }

  return {
    take(key, { since, waits }, make) {
      const found = kept.get(key);
      if (!found || found.begunAt < since) return begin(key, waits, make).page;
      found.askers.push(waits);
      return found.page;
    },
    clear: () => kept.clear(),
  };
}
