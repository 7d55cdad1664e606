import { Readable } from "node:stream";
import { constants, type Gzip } from "node:zlib";
import type { Request } from "@hapi/hapi";
import { deadlineOf } from "../http/deadline.ts";
import { slotOf } from "../http/limits.ts";
import { limitReader, readLimitMs, silenceLimitMs } from "../http/reader.ts";
import { createQueue } from "../store/queue.ts";

/** How many streams may be under way at a time. Each holds two pages in memory. */
const maxStreams = 20;

/** Sends the answers of lists at the pace of their readers, within limits. */
export interface Streams {
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

/** @param onCutOff called for each reader that is cut off for being too slow */
export function createStreams(onCutOff: () => void): Streams {
  const queue = createQueue({ atOnce: maxStreams });
  return {
    limit: ({ raw }, bytes) => limitReader(raw, bytes, onCutOff),
    async start({ raw: { req, res } }, texts) {
      const deadline = deadlineOf(req);
      const leave = await queue.enter(deadline.signal);
      deadline.hold(); // a stream goes on for as long as its reader takes it
      const cutOff = () => {
        onCutOff();
        res.destroy();
      };
      try {
        const first = await texts.next();
        req.socket.setTimeout(silenceLimitMs);
        slotOf(req).end(); // who is slow to take the answer keeps no slot from others
        let flush = () => {};
        const taken = paced(first, texts, { cutOff, onTaken: () => flush() });
        const body = Readable.from(taken, { objectMode: false, highWaterMark: 1 });
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
