import { type AnySubmission, type ListOptions, MaturityClientError } from "@maturity/client";
import { expect, test } from "vitest";
import type { Result } from "./results.ts";
import { send } from "./send.ts";

const result = (availability_pct: number): Result => ({
  row: `row ${availability_pct}`,
  submission: {
    area: "shop",
    team: "checkout",
    app: `app${availability_pct}`,
    env: "prod",
    scorecard: "reliability",
    metric: "sla",
    raw: { availability_pct },
  },
});

/** Takes batches of 10 as the service does: all of one, or none, with up to 3 faults. */
function serviceOf(refuses: (raw: number) => boolean, calls: number[][] = []) {
  return {
    calls,
    async submitAll(scores: readonly AnySubmission[], { onProgress }: ListOptions = {}) {
      const raws = scores.map(({ raw }) => (raw as { availability_pct: number }).availability_pct);
      calls.push(raws);
      for (let offset = 0; offset < raws.length; offset += 10) {
        const faulty = raws.slice(offset, offset + 10).flatMap((raw, index) => (refuses(raw) ? [offset + index] : []));
        if (faulty.length === 0) {
          onProgress?.(Math.min(offset + 10, raws.length));
          continue;
        }
        const details = faulty
          .slice(0, 3)
          .map((index) => ({ path: `scores[${index}].raw.availability_pct`, message: "is too much" }));
        throw new MaturityClientError({ code: "invalid-payload", message: "no", details }, 1, offset);
      }
      return [];
    },
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => result(index));
const { signal } = new AbortController();

test("nothing to send is not sent", async () => {
  const service = serviceOf(() => false);
  expect(await send(service, [], signal)).toEqual({ sent: 0, refused: [] });
  expect(service.calls).toEqual([]);
});

test("those that are refused are left out, and what was stored is not sent again", async () => {
  const service = serviceOf((raw) => raw % 10 === 9);
  expect(await send(service, upTo(25), signal)).toEqual({
    sent: 23,
    refused: [9, 19].map((raw) => ({
      row: `row ${raw}`,
      text: `raw.availability_pct is too much; it is ${raw}`,
    })),
  });
  const all = upTo(25).map((_, index) => index);
  const [first, second] = [all.filter((raw) => raw !== 9), all.filter((raw) => raw > 10 && raw !== 19)];
  expect(service.calls).toEqual([all, first, second]);
});

test("after ten refusals the rest is not tried", async () => {
  const service = serviceOf(() => true);
  const { sent, refused, error } = await send(service, upTo(50), signal);
  expect({ sent, refused: refused.length, code: error?.code }).toEqual({
    sent: 0,
    refused: 30,
    code: "invalid-payload",
  });
  expect(service.calls).toHaveLength(10);
});

test("several faults of one result, and a field without a value", async () => {
  const details = [
    { path: "scores[0].raw.minutes", message: "is required" },
    { path: "scores[0].app", message: "is too long" },
    { path: "scores[0]", message: "is odd" },
  ];
  let failed = false;
  const service = {
    async submitAll() {
      if (failed) return [];
      failed = true;
      throw new MaturityClientError({ code: "invalid-payload", message: "no", details });
    },
  };
  expect((await send(service, [result(1)], signal)).refused).toEqual([
    { row: "row 1", text: 'raw.minutes is required; app is too long; it is "app1"; is odd' },
  ]);
});

test("an error of the whole request ends it", async () => {
  const refusal = new MaturityClientError({ code: "forbidden", message: "not yours", status: 403 }, 1, 1_000);
  const service = { submitAll: () => Promise.reject(refusal) };
  expect(await send(service, upTo(2), signal)).toEqual({ sent: 1_000, refused: [], error: refusal });
});

test("progress counts all that is stored, also when the rest is sent again", async () => {
  const counts: number[] = [];
  await send(
    serviceOf((raw) => raw === 12),
    upTo(25),
    signal,
    (stored) => counts.push(stored),
  );
  expect(counts).toEqual([10, 20, 24]);
});
