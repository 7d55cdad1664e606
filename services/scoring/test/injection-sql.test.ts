import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { NewWaiver } from "../src/model/waiver.ts";
import { type AuditEntry, recordAudit } from "../src/store/audit.ts";
import { lists, score, series, target } from "./support/injected.ts";
import { report } from "./support/problem-report.ts";
import { post, put, rows } from "./support/requests.ts";
import { startService, type TestService, useService } from "./support/service.ts";
import { registerNames, storeWaiver } from "./support/store.ts";
import { listed, waive } from "./support/waivers.ts";

const statements = [
  "'; DROP TABLE scores; --",
  "' OR '1'='1",
  "x') ON CONFLICT DO NOTHING; DELETE FROM problems; --",
  "$1); SELECT pg_sleep(60); --",
  "\\'; DROP TABLE scores; --",
  "E'\\\\x27; DROP TABLE scores; --",
  "$$; DROP TABLE problems; $$",
  "/* */ UNION SELECT labels FROM scores --",
  "?::text, :name, %s",
  "\u02bc; DROP TABLE scores; --",
];

/** A waiver of the same application. */
const oneWaiver: NewWaiver = {
  ...{ kind: "not_applicable", area: "shop", team: "checkout", app: "cart", env: "prod" },
  ...{ scorecard: "reliability", metric: "sla", reason: "none", owner: "ann" },
};

/** An action in the area of the score. */
const oneEntry: AuditEntry = { actor: "ann", action: "app.retire", target: { area: "shop" }, details: {} };

describe("SQL injection", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await post(service, "/score", score);
    await report(service);
    await recordAudit(service.database.knex, oneEntry);
    await storeWaiver(service.database.knex, oneWaiver, "office");
    const { env: _, ...app } = target;
    await service.database.knex.raw(
      "INSERT INTO names (area, team, app, application_id) SELECT 'former', 't', 'a', id FROM applications WHERE app = 'cart'",
    );
    await registerNames(service.database.knex, [{ ...app, owner: null, repo: null, tier: null, labels: {} }]);
  });
  afterAll(() => service.stop());

  test.each(statements)("%s in each name, raw and text is data", async (text) => {
    const names = { area: text, team: text, app: text, env: text };
    const raw = { ...score.raw, [`key ${text.replaceAll("\\", "")}`]: text }; // a key holds no backslash
    const more = { pipeline_id: text, project_repo: text };
    expect(await post(service, "/score", { ...score, ...names, ...more, raw })).toMatchObject({ status: 200 });
    expect(await post(service, "/scores", { scores: [{ ...score, ...names, ...more, raw }] })).toMatchObject({
      status: 200,
    });
    const details = [{ file: text, description: text }];
    const sent = { ...names, problem_type: text, count: 1, details, chat_channel: text };
    expect(await report(service, sent)).toMatchObject({ status: 200 });
    const of = (table: Record<string, unknown>[]) => table.filter(({ area }) => area === text);
    const registered = {
      area: text,
      team: text,
      app: text,
      owner: text,
      repo: text,
      tier: text,
      labels: { [text]: text },
    };
    expect(await put(service, "/registry", registered)).toMatchObject({ status: 200 });
    const [moved, retired] = ["moved", "retired"].map((name) => ({ area: text, team: text, app: `${text} ${name}` }));
    const { area: __, team: ___, ...rest } = { ...score, ...moved };
    await post(service, "/score", { area: text, team: text, ...rest, app: `${text} first` });
    const from = { area: text, team: text, app: `${text} first` };
    expect(await post(service, "/apps/move", { from, to: moved })).toMatchObject({ status: 200 });
    expect(await post(service, "/score", { ...score, ...from })).toMatchObject({ body: { moved_to: moved } });
    expect(await post(service, "/apps/move", { from: moved, to: retired })).toMatchObject({ status: 200 });
    expect(await post(service, "/apps/retire", { ...retired, reason: text })).toMatchObject({ status: 200 });
    const { payload } = await service.server.inject(`/registry?area=${encodeURIComponent(text)}`);
    expect(JSON.parse(payload).items).toMatchObject([registered]);
    expect(of(await rows(service, "scores"))).toMatchObject([{ ...names, ...more, raw }]);
    expect(of(await rows(service, "problems"))).toMatchObject([sent]);
  });

  test.each(statements)("%s in an audited action is data", async (text) => {
    const entry = { actor: text, target: { area: text, team: text }, details: { [text]: text } };
    await recordAudit(service.database.knex, { ...oneEntry, ...entry });
    const { payload } = await service.server.inject(`/audit?${new URLSearchParams({ actor: text })}`);
    const { actor, details, target } = entry;
    expect(JSON.parse(payload).items).toMatchObject([{ actor, details, ...target }]);
  });

  test.each(statements)("%s in each text of a waiver is data", async (text) => {
    const sent = { area: text, team: text, app: text, env: text, problem_type: text, reason: text, owner: text };
    const { id } = await waive(service, sent);
    const query = new URLSearchParams({
      area: text,
      team: text,
      app: text,
      env: text,
      problem_type: text,
      owner: text,
    });
    expect(await listed(service, `?${query}`)).toMatchObject([{ id, ...sent }]);
    const asked = await waive(service, { ...sent, state: "requested" });
    const { body } = await post(service, `/waivers/${asked.id}/withdraw`, { comment: text });
    expect(body).toMatchObject({ comment: text, state: "withdrawn" });
    for (const name of ["kind", "scorecard", "metric", "expires_at", "evidence", "extends", "state"]) {
      const kind = { kind: "not_applicable", area: text, scorecard: "security", reason: text, owner: text };
      const { status, body } = await post(service, "/waivers", { ...kind, [name]: text });
      expect([status, body.details]).toMatchObject([400, [{ path: name }]]);
    }
    const { statusCode } = await service.server.inject({
      ...{ method: "DELETE", url: `/waivers/${encodeURIComponent(text)}` },
    });
    expect(statusCode).toBe(404);
  });

  test.each(statements)("%s as a filter finds nothing else", async (text) => {
    const value = encodeURIComponent(`${text}-`);
    for (const name of ["area", "team", "app", "env"]) expect(await series(service, `&${name}=${value}`)).toEqual([]);
    const { statusCode } = await service.server.inject(`/metrics?collect[]=${encodeURIComponent(text)}`);
    expect(statusCode).toBe(400);
    for (const { path, texts, needed = {} } of lists) {
      for (const name of texts) {
        const query = new URLSearchParams({ ...needed, [name]: `${text}-` });
        const { payload } = await service.server.inject(`${path}?${query}`);
        expect(JSON.parse(payload)).toMatchObject({ items: [], total: 0 });
      }
    }
    expect(await rows(service, "scores")).toContainEqual(expect.objectContaining({ area: "shop" }));
  });

  test("each list finds what stands beside the statements", async () => {
    for (const { path, needed = {}, found = 1 } of lists) {
      const { payload } = await service.server.inject(`${path}?${new URLSearchParams({ area: "shop", ...needed })}`);
      expect(JSON.parse(payload), path).toMatchObject({ total: found });
    }
  });

  test.each(statements)("%s as any other value is refused", async (text) => {
    for (const { path, others, needed = {} } of lists) {
      for (const name of [...others, "limit", "cursor", text]) {
        const { statusCode, payload } = await service.server.inject(
          `${path}?${new URLSearchParams({ ...needed, [name]: text })}`,
        );
        expect(statusCode, payload).toBe(400);
        expect(JSON.parse(payload).details, payload).toMatchObject([{ path: name }]);
      }
    }
    for (const path of ["/scorecards", "/whoami"]) {
      expect((await service.server.inject(`${path}?area=${encodeURIComponent(text)}`)).statusCode).toBe(400);
    }
  });

  test.each(statements)("%s as the name of a token is what /whoami shows", async (name) => {
    const { server, database } = await useService({ auth: "token" });
    const token = createToken();
    const bounds = { area: name };
    await insertToken(database.knex, { name, hash: hashToken(token), scopes: ["admin"], bounds });
    const headers = { authorization: `Bearer ${token}` };
    const { payload } = await server.inject({ url: "/whoami", headers });
    expect(JSON.parse(payload)).toEqual({ name, scopes: ["admin"], grants: [{ scopes: ["admin"], bounds }] });
    for (const { path } of lists.filter(({ needed }) => needed === undefined)) {
      expect(JSON.parse((await server.inject({ url: path, headers })).payload)).toMatchObject({ items: [], total: 0 });
    }
  });
});
