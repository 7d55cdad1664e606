import { Readable } from "node:stream";
import { constants, type Gzip } from "node:zlib";
import type { Request } from "@hapi/hapi";
import { deadlineOf } from "../http/deadline.ts";
import { slotOf } from "../http/limits.ts";
import { limitReader, readLimitMs, silenceLimitMs } from "../http/reader.ts";
import { createQueue } from "../store/queue.ts";

/** The largest number of streams at a time. Each holds two pages in memory. */
const maxStreams = 20;

/** Sends the answers of lists at the pace of their readers, within limits. */
export interface Streams {
  /** Limits the time of the reader of a whole page. To be called after the page was read from the store. */
  limit(request: Request, bytes: number): void;
  /**
   * Starts a stream of pages. The first page is read before anything is sent, so that its errors become an answer. Each
   * next page is read after the reader has taken the previous one, so that no reader holds a connection of the
   * database.
   *
   * @param texts of the pages
   * @throws ServiceError `overloaded` if there are too many streams; errors of the first page
   */
  start(request: Request, texts: AsyncGenerator<string>): Promise<StreamBody>;
}

/** The body of a stream. */
export interface StreamBody extends Readable {
  /** Called by hapi with the compressor of the body, if it has one. */
  setCompressor(compressor: Pick<Gzip, "flush">): void;
}

/** @param onCutOff called for each reader that is cut off for being too slow */
export function createStreams(onCutOff: () => void): Streams {
  const queue = createQueue({ atOnce: maxStreams });
  return {
    limit: ({ raw }, bytes) => limitReader(raw, bytes, onCutOff),
    async start({ raw: { req, res } }, texts) {
      const deadline = deadlineOf(req);
      const leave = await queue.enter(deadline.signal);
      deadline.hold(); // a stream lasts as long as its reader takes it
      const cutOff = () => {
        onCutOff();
        res.destroy();
      };
      try {
        const first = await texts.next();
        req.socket.setTimeout(silenceLimitMs);
        slotOf(req).end(); // a slow reader needs no slot
        let flush = () => {};
        const sentPages = paced(first, texts, { cutOff, onTaken: () => flush() });
        const body = Readable.from(sentPages, { objectMode: false, highWaterMark: 1 });
        return Object.assign(body.once("close", leave), {
          setCompressor(compressor: Pick<Gzip, "flush">) {
            flush = () => compressor.flush(constants.Z_SYNC_FLUSH);
          },
        });
      } catch (error) {
        leave();
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
