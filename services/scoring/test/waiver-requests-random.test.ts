import { randomInt } from "node:crypto";
import { rollUp, type ScoreRecord, type Waiver } from "@maturity/core";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { WaiverState } from "../src/model/waiver.ts";
import { type Caller, holderOf } from "./support/people.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, startService, type TestService } from "./support/service.ts";
import { inDays } from "./support/waivers.ts";

/** Others in each run; FUZZ_SEED repeats those of a former one. */
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const steps = 40;

const key = { area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security" };
const metrics = ["dast", "sast", "secret_scan"] as const;
const records: ScoreRecord[] = metrics.map((metric, index) => ({
  ...key,
  metric,
  score: 40 + 20 * index,
  reported_at: new Date(),
}));

/** Who may ask, and who may decide; those with the same name are taken for one person. */
const people = [
  { name: "ann", scopes: ["read", "waiver:request"] },
  { name: "ben", scopes: ["read", "waiver:request"] },
  { name: "office", scopes: ["read", "waiver:write"] },
  { name: "ann", scopes: ["read", "waiver:write"] },
  { name: "root", scopes: ["admin"] },
] as const;
const mayDecide = (place: number) => place > 1;

/** What the model knows of a waiver. */
interface Known {
  readonly metric: string;
  readonly asker: number;
  state: WaiverState;
}

const person = fc.nat(people.length - 1);
/** Of the waivers that there are, modulo their number. */
const which = fc.nat(7);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant("ask"), by: person, metric: fc.constantFrom(...metrics) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("make"), by: person, metric: fc.constantFrom(...metrics) }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constantFrom("approve", "reject", "withdraw"), by: person, which }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("revoke"), by: person, which }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom("extend", "lapse", "expire"), by: person, which }) },
);
type Step = { readonly act: string; readonly by: number; readonly which?: number; readonly metric?: string };

/** A service with scores, callers, and a model of its waivers, which each step changes with it. */
async function prepare(kind: (typeof engines)[number]) {
  const service: TestService = await startService({ auth: "token", databaseUrl: await createDatabase(kind) });
  const { knex } = service.database;
  await saveScores(
    knex,
    records.map(({ reported_at: _, ...record }) => ({ ...record, raw: {}, scorer: "test@1.0.0" })),
  );
  const callers: Caller[] = [];
  for (const one of people) callers.push(await holderOf(service, one));
  const [watcher] = callers.slice(-1) as [Caller];
  return { service, knex, callers, watcher };
}

test.each(engines)(
  "any sequence of requests and decisions on %s leaves what the model says",
  { timeout: 300_000 },
  async (kind) => {
    const { service, knex, callers, watcher } = await prepare(kind);
    onTestFinished(() => service.stop());

    const run = async (sequence: readonly Step[]) => {
      await knex.raw("DELETE FROM waivers");
      const model = new Map<string, Known>();
      const make = async ({ by, metric }: Step, state: "requested" | "approved", more: object = {}) => {
        const caller = callers[by] as Caller;
        const sent = { area: "shop", scorecard: "security", metric, reason: "none", owner: "ann", kind: "accepted" };
        const { status, body } = await caller.post("/waivers", { ...sent, expires_at: inDays(9), state, ...more });
        const isAllowed = state === "requested" || mayDecide(by);
        const before = "extends" in more ? model.get(String(more.extends)) : undefined;
        const expected = !isAllowed ? 403 : "extends" in more && before?.state !== "approved" ? 400 : 201;
        expect([state, by, more, status]).toEqual([state, by, more, expected]);
        if (status === 201) model.set(String(body.id), { metric: String(metric), asker: by, state });
      };
      for (const one of sequence) {
        const { act, by } = one;
        const caller = callers[by] as Caller;
        const [id, known] = [...model][(one.which ?? 0) % Math.max(model.size, 1)] ?? [];
        if (act === "ask") await make(one, "requested");
        else if (act === "make") await make(one, "approved");
        else if (id === undefined || known === undefined) continue;
        else if (act === "extend") await make({ ...one, metric: known.metric }, "requested", { extends: id });
        else if (act === "lapse") {
          await knex("waivers")
            .where({ id })
            .whereNull("decision")
            .update({ requested_at: inDays(-31) });
          if (known.state === "requested") known.state = "withdrawn";
        } else if (act === "expire") {
          const past = { requested_at: inDays(-3), decided_at: inDays(-2), expires_at: inDays(-1) };
          if (known.state === "approved") await knex("waivers").where({ id }).update(past);
          if (known.state === "approved") known.state = "expired";
        } else if (act === "revoke") {
          const { status } = await caller.delete(`/waivers/${id}`);
          expect([act, by, known.state, status]).toEqual([
            ...[act, by, known.state],
            !mayDecide(by) ? 403 : known.state === "requested" ? 409 : 200,
          ]);
          if (status === 200 && known.state === "approved") known.state = "revoked";
        } else {
          const { status } = await caller.post(`/waivers/${id}/${act}`, { comment: "none" });
          const isSame = people[by]?.name === people[known.asker]?.name;
          const isAllowed = act === "withdraw" ? by === known.asker : mayDecide(by) && !isSame;
          expect([act, by, known, status]).toEqual([
            ...[act, by, known],
            !isAllowed ? 403 : known.state === "requested" ? 200 : 409,
          ]);
          if (status === 200)
            known.state = ({ approve: "approved", reject: "rejected" } as const)[act as "approve"] ?? "withdrawn";
        }
      }
      await expectModel(model);
    };

    const expectModel = async (model: ReadonlyMap<string, Known>) => {
      const { body } = await watcher.get("/waivers?all=true&limit=1000");
      const items = body.items as (Waiver & { id: string; state: string; metric: string })[];
      expect(Object.fromEntries(items.map(({ id, state }) => [id, state]))).toEqual(
        Object.fromEntries([...model].map(([id, { state }]) => [id, state])),
      );
      const waived = new Set(
        [...model.values()].filter(({ state }) => state === "approved").map(({ metric }) => metric),
      );
      const listed = (await watcher.get("/waivers")).body.items as { metric: string }[];
      expect(new Set(listed.map(({ metric }) => metric))).toEqual(waived);
      const scores = (await watcher.get("/scores")).body.items as { metric: string; waived: boolean }[];
      expect(new Set(scores.filter(({ waived }) => waived).map(({ metric }) => metric))).toEqual(waived);
      const { payload } = await service.server.inject({ url: "/metrics?collect[]=waivers", auth: everything });
      const series = [...payload.matchAll(/^maturity_metric_waived\{.*metric="(\w+)"/gm)].map(([, metric]) => metric);
      expect(new Set(series)).toEqual(waived);
      // Core sees the same in what the list shows, whatever its state.
      const [app] = rollUp(shippedEngine.scorecards, records, new Date(), items).apps;
      const [by] = rollUp(
        shippedEngine.scorecards,
        records,
        new Date(),
        [...waived].map((metric) => ({ ...key, metric, created_at: new Date(0) })),
      ).apps;
      expect(app).toEqual(by);
      for (const [place, caller] of callers.entries()) {
        const of = async (query: string) =>
          ((await caller.get(`/waivers?${query}&limit=1000`)).body.items as { id: string }[])
            .map(({ id }) => id)
            .sort();
        const ids = (holds: (known: Known) => boolean) =>
          [...model]
            .filter(([, known]) => holds(known))
            .map(([id]) => id)
            .sort();
        expect(await of("requested_by=me&all=true")).toEqual(ids(({ asker }) => asker === place));
        expect(await of("decidable=true")).toEqual(
          ids(
            ({ state, asker }) =>
              mayDecide(place) && state === "requested" && people[asker]?.name !== people[place]?.name,
          ),
        );
      }
    };

    const everything = { strategy: "grant", credentials: { scope: ["admin"] } };
    const sequences = fc.array(step as fc.Arbitrary<Step>, { minLength: steps, maxLength: steps });
    await fc.assert(
      fc.asyncProperty(sequences, (sequence) => run(sequence)),
      { seed, numRuns: 6, endOnFailure: true },
    );
  },
);
