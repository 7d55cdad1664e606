import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { logRefusals } from "./refusals.ts";

test("refusals are logged when they begin, and then every 10 s while they last", () => {
  vi.useFakeTimers();
  const lines: unknown[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const refused = logRefusals(logger);
  const began = "overloaded: refusing what there is no room for";
  const last = "overloaded: refused in the last 10 s";
  refused("request_refused");
  for (let count = 0; count < 1_000; count++) refused("request_refused");
  refused("body_cut_off");
  vi.advanceTimersByTime(10_000);
  refused("connection_closed");
  vi.advanceTimersByTime(20_000);
  refused("connection_closed");
  expect(lines).toEqual([
    { level: 40, request_refused: 1, msg: began },
    { level: 40, request_refused: 1_000, body_cut_off: 1, msg: last },
    { level: 40, connection_closed: 1, msg: last },
    { level: 40, connection_closed: 1, msg: began },
  ]);
  vi.useRealTimers();
});
