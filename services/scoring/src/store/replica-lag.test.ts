import type { Knex } from "knex";
import { expect, test } from "vitest";
import { createLagMeter, positionOf } from "./replica-lag.ts";

/** A server that returns these positions, one for each call; it does not answer where there is none. */
function server(...positions: (string | null | undefined)[]): Knex {
  const raw = async () => {
    const position = positions.shift();
    if (position === undefined) throw new Error("no answer");
    return { rows: [{ position }] };
  };
  return { raw } as unknown as Knex;
}

function meter(primary: Knex, replica: Knex) {
  let now = 0;
  const measure = createLagMeter(primary, replica, () => now);
  return (at: number) => {
    now = at;
    return measure();
  };
}

test("a position is a number of bytes", () => {
  expect(positionOf("0/10")).toBe(16n);
  expect(positionOf("16/B374D848")).toBe((0x16n << 32n) + 0xb374d848n);
});

test("a replica that has everything is not behind, however long the primary is idle", async () => {
  const at = meter(server("0/10", "0/10", "0/20"), server("0/10", "0/10", "0/20"));
  for (const now of [0, 3_600_000, 7_200_000]) expect(await at(now)).toEqual({ seconds: 0, bytes: 0 });
});

test("it is behind since the oldest position that it has not reached", async () => {
  const at = meter(server("0/10", "0/20", "0/30", "0/30"), server("0/10", "0/10", "0/20", "0/30"));
  expect(await at(0)).toEqual({ seconds: 0, bytes: 0 });
  expect(await at(1_000)).toEqual({ seconds: 0, bytes: 16 });
  expect(await at(16_000)).toEqual({ seconds: 0, bytes: 16 });
  expect(await at(31_000)).toEqual({ seconds: 0, bytes: 0 });
});

test("a replica that is gone falls behind further and further, by what it said last", async () => {
  const at = meter(server("0/10", "0/20", "0/20", undefined), server("0/10"));
  await at(0);
  await at(1_000);
  expect(await at(5_000)).toEqual({ seconds: 4, bytes: 16 });
  expect(await at(9_000)).toEqual({ seconds: 8, bytes: 16 });
});

test.each([undefined, null])("nothing is known of a replica that never said how far it is: %s", async (position) => {
  expect(await meter(server("0/10", "0/10"), server(position))(0)).toBeUndefined();
});

test("a replica that is away for long costs no more memory than one that is away for hours", async () => {
  let position = 16;
  const primary = { raw: async () => ({ rows: [{ position: `0/${(position++).toString(16)}` }] }) } as unknown as Knex;
  const at = meter(primary, server("0/10"));
  for (let now = 0; now <= 5_000; now++) await at(now * 1_000);
  expect(await at(5_001_000)).toEqual({ seconds: 5_000, bytes: 5_001 });
});
