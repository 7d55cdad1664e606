import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { overloadLog } from "./refusals.ts";

test("what is done about overload is logged when it begins, and then every 10 s while it lasts", () => {
  vi.useFakeTimers();
  const lines: unknown[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const refused = overloadLog(logger);
  for (let count = 0; count < 1_000; count++) refused("request_refused");
  refused("body_cut_off");
  vi.advanceTimersByTime(30_000);
  refused("request_refused");
  const msg = "overloaded: refused what there is no room for";
  expect(lines).toEqual([
    { level: 40, request_refused: 1, msg },
    { level: 40, body_cut_off: 1, msg },
    { level: 40, request_refused: 999, msg },
    { level: 40, request_refused: 1, msg },
  ]);
  vi.useRealTimers();
});
