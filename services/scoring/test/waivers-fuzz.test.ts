import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { errorTable, type ServiceErrorCode } from "../src/model/errors.ts";
import { waiverColumns } from "../src/store/waivers.ts";
import { bodies, someName } from "./support/fuzz-bodies.ts";
import { makeKnown } from "./support/known-names.ts";
import { useService } from "./support/service.ts";
import { inDays } from "./support/waivers.ts";

const inputs = Math.ceil(Number(process.env.FUZZ_INPUTS ?? 1_000) / 4);
const inBatch = 50;

/** Others in each run; FUZZ_SEED repeats those of a former one. */
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const run = `FUZZ_SEED=${seed} FUZZ_INPUTS=${inputs * 4}`;

/** Bodies that POST /waivers takes. */
const validWaiver: fc.Arbitrary<object> = fc
  .record({
    area: someName,
    reach: fc.constantFrom([], ["team"], ["team", "app"], ["team", "app", "env"]),
    name: someName,
    what: fc.oneof(
      fc.constantFrom({ scorecard: "security" }, { scorecard: "security", metric: "dast" }),
      fc.record({ problem_type: someName }),
    ),
    kind: fc.constantFrom("accepted", "not_applicable"),
    reason: someName,
    owner: someName,
    expires_at: fc.integer({ min: 1, max: 365 }).map(inDays),
    more: fc.constantFrom(
      {},
      { state: "requested" },
      { state: "approved" },
      { evidence: "https://a.example/\u00e9?a=b#c" },
    ),
  })
  .map(({ area, reach, name, what, more, ...waiver }) => ({
    ...{ area, ...Object.fromEntries(reach.map((field) => [field, name])), ...what, ...waiver, ...more },
  }));

test("bodies for POST /waivers", { timeout: 120_000 + 100 * inputs }, async () => {
  const service = await useService();
  const { server, database } = service;
  const codes = new Map<string, number>();
  const accepted = new Map<string, object>();

  const send = async (payload: Buffer) => {
    const headers = { "content-type": "application/json" };
    const ask = () => server.inject({ method: "POST", url: "/waivers", headers, payload });
    let answer = await ask();
    if (answer.payload.includes("is unknown: there is no ")) {
      await makeKnown(service, JSON.parse(payload.toString()));
      answer = await ask();
    }
    const { code, ...body } = JSON.parse(answer.payload);
    codes.set(code ?? "accepted", (codes.get(code ?? "accepted") ?? 0) + 1);
    if (answer.statusCode === 201) return void accepted.set(body.id, { sent: JSON.parse(payload.toString()), body });
    expect(answer.statusCode).toBe(errorTable[code as ServiceErrorCode]?.status);
    expect(answer.statusCode).toBeLessThan(500);
    expect(answer.payload).not.toMatch(/\.ts:\d|node_modules|INSERT INTO|SELECT|postgres:\/\//);
  };
  const property = fc.asyncProperty(
    fc.array(bodies(validWaiver), { minLength: inBatch, maxLength: inBatch }),
    async (batch) => void (await Promise.all(batch.map(send))),
  );
  await fc.assert(property, { numRuns: Math.ceil(inputs / inBatch), seed, endOnFailure: true, reporter });

  for (const code of ["accepted", "invalid-payload"]) expect(codes.get(code), code).toBeGreaterThan(inputs / 10);
  const { rows } = await database.knex.raw(`SELECT ${waiverColumns} FROM waivers_by_name`);
  expect(rows).toHaveLength(accepted.size);
  for (const row of rows) {
    // As it was sent, with null for what was left out, and as it was answered.
    const { sent, body } = accepted.get(row.id) as { sent: object; body: object };
    const stored = JSON.parse(JSON.stringify(row));
    expect(stored).toEqual(body);
    expect({ ...stored, expires_at: new Date(stored.expires_at).toISOString() }).toMatchObject(normalized(sent));
  }
  const audited = await database.knex.raw(
    "SELECT count(*)::int AS count FROM audit WHERE action IN ('waiver.create', 'waiver.request')",
  );
  expect(audited.rows[0].count).toBe(accepted.size);
  process.stdout.write(`/waivers: ${JSON.stringify(Object.fromEntries(codes))}\n`);
});

/** Times in one form. */
function normalized(sent: { readonly expires_at?: string }): object {
  return { ...sent, ...(sent.expires_at && { expires_at: new Date(sent.expires_at).toISOString() }) };
}

/** Names the failure alone: a batch fills many screens. */
function reporter<T>({ failed, numRuns, errorInstance }: fc.RunDetails<T>): void {
  if (failed) throw new Error(`batch ${numRuns} of ${run} failed`, { cause: errorInstance });
}
