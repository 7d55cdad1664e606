import { Readable } from "node:stream";
import { constants, type Gzip } from "node:zlib";
import type { Request } from "@hapi/hapi";
import { placeOf } from "../http/load/overload.ts";
import { limitTime, readLimitMs } from "../http/reader.ts";
import { ServiceError } from "../model/errors.ts";
import { createPageQueue, type PageQueue } from "./page-queue.ts";
import { createSharedPages, type SharedPages } from "./shared-pages.ts";

/** How many streams may be under way at a time. Each holds two pages in memory. */
const maxStreams = 20;

/** Makes the answers of lists one after the other, and sends each at the pace of its reader, within limits. */
export interface Streams extends PageQueue {
  /** The pages of all streams. */
  readonly pages: SharedPages;
  /** Limits how long the reader of a whole page may take. To be called when the page was read. */
  limit(request: Request, bytes: number): void;
  /**
   * Begins to send pages. The first one is read before anything is sent, so that its errors reach the caller as an answer.
   * The next one is read when the reader has taken the one before, so no reader holds a connection of the database.
   *
   * @param texts of the pages
   * @throws ServiceError `overloaded` if too many streams are under way; errors of the first page
   */
  start(request: Request, texts: AsyncGenerator<string>): Promise<StreamBody>;
}

/** The body of a stream. */
export interface StreamBody extends Readable {
  /** Called by the framework with what packs the body, if anything does. */
  setCompressor(compressor: Pick<Gzip, "flush">): void;
}

/** What `createStreams` needs. */
export interface StreamOptions {
  /** A reader that reads nothing for this long is cut off, in milliseconds. */
  readonly silenceLimitMs: number;
  /** Called for each caller who is refused. */
  readonly onRefusal: () => void;
  /** Called for each reader that is cut off for being too slow. */
  readonly onCutOff: () => void;
}

export function createStreams({ silenceLimitMs, onRefusal, onCutOff }: StreamOptions): Streams {
  let running = 0;
  const pages = createSharedPages();
  return {
    ...createPageQueue(onRefusal),
    pages,
    limit({ raw: { req, res } }, bytes) {
      req.socket.setTimeout(silenceLimitMs);
      limitTime(res, bytes, onCutOff);
    },
    async start({ raw: { req, res } }, texts) {
      if (running >= maxStreams) {
        onRefusal();
        throw new ServiceError("overloaded", "too many streams are under way; try again shortly");
      }
      running++;
      const end = () => {
        if (--running === 0) pages.clear();
      };
      const cutOff = () => {
        onCutOff();
        res.destroy();
      };
      try {
        const first = await texts.next();
        req.socket.setTimeout(silenceLimitMs);
        placeOf(req).end(); // who is slow to take the answer keeps no place from others
        let flush = () => {};
        const taken = paced(first, texts, { cutOff, onTaken: () => flush() });
        const body = Readable.from(taken, { objectMode: false, highWaterMark: 1 });
        return Object.assign(body.once("close", end), {
          setCompressor(compressor: Pick<Gzip, "flush">) {
            flush = () => compressor.flush(constants.Z_SYNC_FLUSH);
          },
        });
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

/** @param onTaken called when a page was taken and before the next one is read, which may take long */
async function* paced(
  first: IteratorResult<string>,
  pages: AsyncGenerator<string>,
  { cutOff, onTaken }: { readonly cutOff: () => void; readonly onTaken: () => void },
): AsyncGenerator<string> {
  for (let page = first; !page.done; page = await pages.next()) {
    const timer = setTimeout(cutOff, readLimitMs(page.value.length));
    try {
      yield page.value;
    } finally {
      clearTimeout(timer);
    }
    onTaken();
  }
}
