import { randomInt } from "node:crypto";
import type { ServerInjectOptions } from "@hapi/hapi";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { Bounds } from "../src/model/grant.ts";
import { recordAudit } from "../src/store/audit.ts";
import { contentOfCursor, forgedCursor } from "./support/forged-cursor.ts";
import { newScore } from "./support/new-score.ts";
import { problem } from "./support/problem-report.ts";
import { saveScores } from "./support/save-scores.ts";
import { startService, type TestService, useService } from "./support/service.ts";
import { registerNames, storeProblem, storeWaiver } from "./support/store.ts";

/** Others in each run; FUZZ_SEED repeats those of a former one. */
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const queries = 100;

/** Fewer than the service streams at a time. */
const atATime = 15;

/** The same on every level, so that an area's bound that was taken for a team's would show. */
const names = ["alpha", "beta", "gamma"] as const;
const name = fc.constantFrom(...names);

const waiver = { kind: "not_applicable", reason: "none", owner: "ann" } as const;

const targets = names.flatMap((area) =>
  names.flatMap((team) => names.flatMap((app) => ["alpha", "prod"].map((env) => ({ area, team, app, env })))),
);

async function fill({ database: { knex } }: TestService): Promise<void> {
  const facts = { owner: null, repo: null, tier: null, labels: {} };
  // Of each third application, and of one in each team that has reported nothing.
  const silent = targets.filter((_, place) => place % 6 === 0).map((target) => ({ ...target, app: "silent" }));
  await registerNames(
    knex,
    [...targets.filter((_, place) => place % 3 === 0), ...silent].map((target) => ({ ...target, ...facts })),
  );
  const metrics = ["sast", "dast", "secret_scan"];
  await saveScores(
    knex,
    targets.flatMap((target, place) =>
      metrics
        .slice(0, 1 + (place % 3))
        .map((metric, index) => newScore({ ...target, metric, score: (place * 7 + index * 31) % 101 })),
    ),
  );
  await knex.raw(`
    INSERT INTO names (area, team, app, application_id) SELECT area, team, 'former ' || app, id FROM applications
    WHERE app <> 'silent'
  `);
  await recordAudit(knex, { actor: "test", action: "policy.load", target: {}, details: {} });
  for (const [place, { area, team, app }] of targets.entries()) {
    const target = place % 3 === 0 ? { area } : place % 3 === 1 ? { area, team } : { area, team, app };
    await recordAudit(knex, { actor: "test", action: "app.retire", target, details: { scores: place } });
    await recordAudit(knex, { actor: "test", action: "waiver.create", target, details: { reason: String(place) } });
    const scope = [
      { areas: [area] },
      {
        teams: [
          { area, team },
          { area: "beta", team: "beta" },
        ],
      },
      {},
    ][place % 3];
    const details = { name: String(place), scope };
    if (place % 5 === 0) await recordAudit(knex, { actor: "test", action: "campaign.end", target: {}, details });
    await recordAudit(knex, { actor: "test", action: "token.create", target, details: {} });
  }
  for (const [place, target] of targets.entries()) {
    const severity = place % 2 ? "high" : "critical";
    if (place % 4) await storeProblem(knex, { ...problem, ...target, severity, problem_type: "alpha" });
    // Wider and narrower ones, by turns; what a caller's own are in concerns him too.
    const { area, team, app } = target;
    const reach = [{ area }, { area, team }, { area, team, app }, target][place % 4] ?? target;
    const what = place % 3 ? { scorecard: "security", metric: metrics[place % 3] ?? "" } : { problem_type: "alpha" };
    if (place % 5 === 0) await storeWaiver(knex, { ...waiver, ...reach, ...what }, "office");
  }
}

const lists = [
  "/areas",
  "/teams",
  "/apps",
  "/registry",
  "/former-names",
  "/scores",
  "/problems",
  "/scorecards",
  "/levels",
  "/metric-averages",
  "/problem-times",
  "/problem-weeks",
  "/changes",
  "/change-totals",
  "/history",
  "/waivers",
  "/audit",
];

const parameter = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom("area", "team", "app"), name).map(([field, value]) => `${field}=${value}`),
  },
  { weight: 1, arbitrary: fc.constantFrom("env=alpha", "env=prod", "limit=1", "limit=3", "sort=name", "sort=score") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "below=50",
      "detail=true",
      "all=true",
      "metric=sast",
      "changes=true",
      "problem_type=alpha",
      "reported=false",
      "former_area=alpha",
      "former_app=former alpha",
    ),
  },
);

/** A query of a list. Those that it refuses are refused for what they say themselves. */
const query = fc
  .tuple(fc.constantFrom(...lists), fc.uniqueArray(parameter, { maxLength: 3 }))
  .map(([path, parameters]) => `${path}?${parameters.join("&")}`);

const allBounds: readonly (readonly Bounds[])[] = [
  [{ area: "alpha" }],
  [{ team: "alpha" }],
  [{ app: "alpha" }],
  [{ area: "alpha", team: "beta" }],
  [{ area: "alpha", app: "alpha" }],
  [{ team: "beta", app: "alpha" }],
  [{ area: "gamma", team: "alpha", app: "beta" }],
  [{ area: "delta" }],
  [{ area: "alpha" }, { area: "gamma" }],
  [
    { area: "alpha", team: "beta" },
    { area: "beta", team: "alpha" },
  ],
  [{ area: "beta" }, { team: "gamma", app: "alpha" }, { area: "delta" }],
  [{ area: "alpha" }, { area: "alpha", team: "beta" }, { area: "alpha" }],
];

/** How a request is sent: with a token, or as somebody to whom several rules grant something. */
type Caller = Pick<ServerInjectOptions, "headers" | "auth">;

async function callerWith({ database }: TestService, all: readonly Bounds[]): Promise<Caller> {
  const [bounds = {}, ...others] = all;
  if (others.length > 0) {
    const parts = all.map((bounds) => ({ scopes: ["read" as const], bounds }));
    const grant = { name: "reader", caller: "reader", parts };
    return { auth: { strategy: "grant", credentials: { grant, scope: ["read"] } } };
  }
  const token = createToken();
  await insertToken(database.knex, { name: "reader", hash: hashToken(token), scopes: ["read"], bounds });
  return { headers: { authorization: `Bearer ${token}` } };
}

interface Entry {
  readonly id: number;
  readonly action: string;
  readonly area: string | null;
  readonly team: string | null;
  readonly app: string | null;
  readonly details: { readonly scope?: { readonly areas?: readonly string[]; readonly teams?: readonly Bounds[] } };
}

/** Deletes what concerns nothing within the bounds, and what readers never see, be it a part of the scope of a campaign. */
async function deleteAuditBeyond({ database: { knex } }: TestService, all: readonly Bounds[]): Promise<void> {
  const { rows }: { rows: Entry[] } = await knex.raw("SELECT * FROM audit");
  const isWithin = (names: Readonly<Partial<Record<string, unknown>>>, ...alsoAll: readonly (null | undefined)[]) =>
    all.some((bounds) => Object.entries(bounds).every(([field, name]) => [name, ...alsoAll].includes(names[field])));
  const isPlace = (place: Bounds) => isWithin({ ...place }, undefined);
  const isSeen = ({ details: { scope }, ...entry }: Entry) => {
    const places: readonly Bounds[] = [...(scope?.areas?.map((one) => ({ area: one })) ?? []), ...(scope?.teams ?? [])];
    if (entry.action === "campaign.end" && places.length > 0) return places.some(isPlace);
    if (entry.action === "policy.load" || entry.action === "campaign.end") return true;
    return entry.action === "waiver.create" ? isWithin(entry, null) : isWithin(entry);
  };
  const beyond = rows.filter((entry) => entry.action === "token.create" || !isSeen(entry)).map(({ id }) => id);
  await knex.raw("DELETE FROM audit WHERE id = ANY(?::int[])", [beyond]);
  for (const { id, details } of rows.filter((row) => row.details.scope?.teams)) {
    const scope = { ...details.scope, teams: details.scope?.teams?.filter(isPlace) };
    await knex.raw("UPDATE audit SET details = ?::jsonb WHERE id = ?", [JSON.stringify({ ...details, scope }), id]);
  }
}

/** An answer without the time of its reading. The samples of a scrape have no order. */
async function ask({ server }: TestService, url: string, caller: Caller, accept: string) {
  const answer = await server.inject({ url, ...caller, headers: { ...caller.headers, accept } });
  const { etag, "content-length": length } = answer.headers;
  const body = answer.payload.replace(/^\{"as_of":"[^"]*"/, "{");
  return {
    status: answer.statusCode,
    ...{ etag, length },
    body: url.startsWith("/metrics") ? body.split("\n").sort().join("\n") : body,
  };
}

const types = ["application/json", "text/csv", "application/x-ndjson"];

/**
 * What a bound caller sees is what he would see if nothing else was stored: items, numbers, totals, cursors, tags
 * and errors. So nothing of others shows in them.
 */
test.each(allBounds.map((bounds) => ({ bounds })))(
  "a caller bound to $bounds sees nothing of others",
  async ({ bounds }) => {
    const full = await startService({ auth: "token" });
    onTestFinished(() => full.stop());
    await fill(full);
    const [own, everybody] = [await callerWith(full, bounds), await callerWith(full, [{}])];
    const sample = fc.sample(query, { numRuns: queries, seed });
    const whole = lists.map((path) => `${path}?limit=1`);
    const urls = [
      ...whole,
      ...sample,
      ...(await cursorsOf(full, bounds, everybody)),
      "/metrics?collect[]=scores&collect[]=registry",
      "/whoami",
    ];
    const asks = urls.flatMap((url) => types.map((accept) => ({ url, accept })));
    const askAll = async (service: TestService, caller: Caller) => {
      const answers = [];
      for (let done = 0; done < asks.length; done += atATime) {
        const some = asks.slice(done, done + atATime);
        answers.push(...(await Promise.all(some.map(({ url, accept }) => ask(service, url, caller, accept)))));
      }
      return answers;
    };

    const said = await askAll(full, own);
    const outside = (operator: string) =>
      bounds
        .map((one) => Object.entries(one).map(([field, value]) => `${field} ${operator} '${value}'`))
        .map((terms) => `(${terms.join(" OR ")})`)
        .join(" AND ");
    const beyond = `SELECT id FROM applications WHERE ${outside("<>")}`;
    const targets = `SELECT id FROM targets WHERE application_id IN (${beyond})`;
    for (const table of ["problems", "scores"]) {
      await full.database.knex.raw(`DELETE FROM ${table} WHERE target_id IN (${targets})`);
    }
    // A waiver of a whole area, whose team is null, is one of each of its teams, too.
    const waivers = `SELECT id FROM waivers_by_name WHERE ${outside("<>")}`;
    await full.database.knex.raw(`DELETE FROM waivers WHERE id IN (${waivers})`);
    await deleteAuditBeyond(full, bounds);
    for (const table of ["targets", "names"]) {
      await full.database.knex.raw(`DELETE FROM ${table} WHERE application_id IN (${beyond})`);
    }
    await full.database.knex.raw(`DELETE FROM applications WHERE id IN (${beyond})`);
    const alone = await useService({ auth: "token", databaseUrl: full.databaseUrl });
    for (const [index, answer] of (await askAll(alone, own)).entries()) {
      expect(said[index], JSON.stringify(asks[index])).toEqual(answer);
    }

    // And he sees all of it, as somebody is who may see whatever there is.
    const expected = await askAll(alone, everybody);
    const shown = ({ status, body }: { status: number; body: string }) => ({
      status,
      // The lines of a scrape have no order.
      body: body.startsWith("#") ? body.split("\n").sort() : body.replace(/"next":"[^"]*"/, ""),
    });
    let compared = 0;
    for (const [index, answer] of expected.entries()) {
      const mine = said[index];
      const url = asks[index]?.url ?? "";
      if (mine?.status !== 200 || answer.status !== 200 || url === "/whoami") continue;
      // The waiver of an area is one of a team that the filter names, which somebody bound to another team in it does not see.
      if (bounds.length > 1 && /^\/waivers\?.*(?:team|app)=/.test(url)) continue;
      expect(shown(mine), JSON.stringify(asks[index])).toEqual(shown(answer));
      compared++;
    }
    expect(compared).toBeGreaterThan(queries / 4);
    expect(new Set(said.map(({ status }) => status))).toEqual(new Set([200, 400, 403]));
  },
);

/** Cursors of everybody's lists, and those made of them for this caller: they stand behind items that are not his. */
async function cursorsOf({ server }: TestService, bounds: readonly Bounds[], everybody: Caller): Promise<string[]> {
  const queries = {
    "/areas": { sort: "score" },
    "/teams": { sort: "score" },
    "/scores": { sort: "key", detail: false },
  };
  const urls: string[] = [];
  for (const [path, query] of Object.entries(queries)) {
    for (const limit of [1, 2, 5]) {
      const { payload } = await server.inject({ url: `${path}?limit=${limit}`, ...everybody });
      const { next } = JSON.parse(payload);
      const forged = forgedCursor([path, query, bounds], JSON.stringify(contentOfCursor(next)));
      urls.push(`${path}?limit=1&cursor=${next}`, `${path}?limit=1&cursor=${forged}`);
    }
  }
  return urls;
}
