import { destination, type Logger, pino } from "pino";

/** What waits at most to be written, in bytes of UTF-16. Further lines are dropped. */
const maxWaiting = 1_048_576;

/**
 * The log on standard output. Lines that cannot be written, as on a full disk, wait for the next line; the service goes on.
 * At the end of the process they are dropped, because the destination would try again without end.
 */
export function createLog(level: string): Logger {
  const output = destination({ dest: 1, sync: false, maxLength: maxWaiting });
  const flush = output.flushSync.bind(output);
  let isFailing = false;
  output.on("error", () => {
    isFailing = true;
  });
  output.on("write", () => {
    isFailing = false;
  });
  output.flushSync = () => {
    if (!isFailing) flush();
  };
  return pino({ level }, output);
}
