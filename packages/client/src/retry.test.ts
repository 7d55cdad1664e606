import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { skipping } from "../test/support/listener.ts";
import type { Failure } from "./errors.ts";
import { type Attempted, type Patience, type Retry, retryAfter, withRetries } from "./retry.ts";

const down: Failure = { code: "store-unavailable", message: "down", status: 503, retryAfterMs: 0 };
const refused: Failure = { code: "forbidden", message: "not yours", status: 403 };

/** A world in which pauses take no time, but are counted. */
function world(options: Partial<Patience> = {}) {
  const { now, skip } = skipping();
  const retries: Retry[] = [];
  const onRetry = (retry: Retry) => {
    retries.push(retry);
    skip(retry.pauseMs);
  };
  const patience: Patience = { timeoutMs: 15_000, giveUpAfterMs: 60_000, now, onRetry, ...options };
  /** Gives these outcomes in turn, the last one for ever. */
  const attempts = (...outcomes: Attempted<string>[]) => {
    let index = 0;
    return async () => outcomes[Math.min(index++, outcomes.length - 1)] as Attempted<string>;
  };
  return { patience, pauses: () => retries.map(({ pauseMs }) => pauseMs), retries, attempts, now };
}

describe("withRetries", () => {
  test("a first success has no pause", async () => {
    const { patience, pauses, attempts } = world();
    expect(await withRetries(attempts({ value: "yes" }), patience)).toBe("yes");
    expect(pauses()).toEqual([]);
  });

  test.each<[string, number, number[]]>([
    ["no chance at all", 0, [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]],
    ["all of it", 0.999_999, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]],
  ])("pauses double up to a bound, by %s", async (_, chance, expected) => {
    const { patience, pauses, attempts } = world();
    vi.spyOn(Math, "random").mockReturnValue(chance);
    const outcomes = Array.from({ length: expected.length }, () => ({ failure: down }));
    expect(await withRetries(attempts(...outcomes, { value: "yes" }), patience)).toBe("yes");
    expect(pauses()).toEqual(expected);
  });

  test("a pause is longer than asked for", async () => {
    const { patience, pauses, attempts, now } = world();
    await withRetries(attempts({ failure: { ...down, retryAfterMs: 5_000 } }, { value: "yes" }), patience);
    expect(pauses()).toEqual([5_250]);
    expect(now()).toBe(5_250);
  });

  test("an attempt that the end cuts short does not hide why the one before it failed", async () => {
    const { patience } = world({ giveUpAfterMs: 260 });
    const late: Failure = { code: "unreachable", message: "no answer in time", retryAfterMs: 0 };
    let attempts = 0;
    const attempt = async (signal: AbortSignal) => {
      if (attempts++ > 0) await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { failure: attempts > 1 ? late : down };
    };
    await expect(withRetries(attempt, patience)).rejects.toMatchObject({ message: "down (2 attempts)", attempts: 2 });
  });

  test("what is no outage is not tried again", async () => {
    const { patience, pauses, attempts } = world();
    await expect(withRetries(attempts({ failure: refused }), patience)).rejects.toMatchObject({
      name: "MaturityClientError",
      message: "not yours",
      code: "forbidden",
      status: 403,
      attempts: 1,
    });
    expect(pauses()).toEqual([]);
  });

  test("the error of the last attempt says how many there were", async () => {
    const { patience, attempts } = world({ giveUpAfterMs: 2_000 });
    await expect(withRetries(attempts({ failure: down }), patience)).rejects.toMatchObject({
      message: "down (4 attempts)",
      code: "store-unavailable",
      attempts: 4,
    });
  });

  test("it gives up at once when it is asked to wait past the bound", async () => {
    const { patience, pauses, attempts } = world();
    const outcome = { failure: { ...down, retryAfterMs: 60_000 } };
    await expect(withRetries(attempts(outcome), patience)).rejects.toMatchObject({ attempts: 1 });
    expect(pauses()).toEqual([]);
  });

  test("each pause is announced before it begins", async () => {
    const { patience, retries, attempts } = world();
    await withRetries(attempts({ failure: down }, { failure: down }, { value: "yes" }), patience);
    expect(retries).toEqual([
      { attempts: 1, pauseMs: 250, reason: "down" },
      { attempts: 2, pauseMs: 500, reason: "down" },
    ]);
  });

  test.each([0, 600_000])("an abort ends a pause, of which %i ms were asked for", async (retryAfterMs) => {
    const controller = new AbortController();
    const onRetry = () => controller.abort(new Error("enough"));
    const { attempts } = world();
    const patience = { timeoutMs: 15_000, giveUpAfterMs: Number.POSITIVE_INFINITY, onRetry, now: Date.now };
    const run = withRetries(attempts({ failure: { ...down, retryAfterMs } }), patience, controller.signal);
    await expect(run).rejects.toThrow("enough");
  });

  test("an error of the caller's own code is passed on at once", async () => {
    const { patience } = world();
    let attempts = 0;
    const attempt = async () => {
      if (attempts++ > 0) throw new Error("no token");
      return { failure: down };
    };
    await expect(withRetries(attempt, patience)).rejects.toThrow(/^no token$/);
    expect(attempts).toBe(2);
  });

  test("pauses stay within the bound, whatever the service asks and chance decides", async () => {
    const failures = fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        failures,
        fc.nat({ max: 90_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        async (waits, bound, chance) => {
          const { patience, attempts, now } = world({ giveUpAfterMs: bound });
          vi.spyOn(Math, "random").mockReturnValue(chance);
          const outcomes = waits.map((retryAfterMs) => ({ failure: { ...down, retryAfterMs } }));
          await withRetries(attempts(...outcomes), patience).catch(() => {});
          expect(now()).toBeLessThanOrEqual(bound);
        },
      ),
    );
  });
});

test.each<[string, string | null, number]>([
  ["seconds", "5", 5_000],
  ["a date", "Wed, 21 Oct 2026 07:28:30 GMT", 30_000],
  ["a date that is past", "Wed, 21 Oct 2026 07:27:00 GMT", 0],
  ["nothing", null, 0],
  ["no sense", "soon", 0],
  ["a negative number", "-5", 0],
])("retryAfter reads %s", (_, header, expected) => {
  expect(retryAfter(header, Date.parse("2026-10-21T07:28:00Z"))).toBe(expected);
});
