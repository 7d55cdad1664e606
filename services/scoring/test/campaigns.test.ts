import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { campaign, change, dayIn, itemsOf, read, report, secrets } from "./support/campaigns.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post, put } from "./support/requests.ts";
import { createDatabase, engines, startService, type TestService, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const secret = (found: boolean) => ({ "security.secret_scan": { found } });

/** Three applications of two areas; one has a secret in production. */
async function organisation(service: TestService): Promise<void> {
  const tiers = { tier: "1", labels: { kind: "service" } };
  await put(service, "/registry", {
    apps: [
      { ...cart, owner: "ann", ...tiers },
      { ...cart, app: "silent", ...tiers },
    ],
  });
  await report(service, { ...cart, env: "prod" }, secret(true));
  await report(service, { ...cart, env: "staging" }, secret(false));
  await report(service, { area: "shop", team: "search", app: "index", env: "prod" }, secret(false));
  await report(
    service,
    { area: "bank", team: "cards", app: "pay", env: "prod" },
    { "security.sast": { critical: 1, high: 0, medium: 0 } },
  );
}

const progress = { members: 0, met: 0, left: 0, waived: 0, exempt: 0, joined: 0, lost: 0 };

describe.each(engines)("campaigns on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    await organisation(service);
  });
  afterAll(() => service.stop());

  test("are answered whole, with the progress of whom the scope fits now", async () => {
    const { status, body } = await post(service, "/campaigns", {
      ...secrets,
      scope: { areas: ["shop"], env: ["prod"] },
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...secrets,
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        why: { ...secrets.why, url: null },
        scope: { areas: ["shop"], env: ["prod"] },
        ...{ starts: dayIn(0), state: "running", created_at: expect.any(String), created_by: "anybody" },
        ...{ ended_at: null, ended_by: null },
        progress: { ...progress, members: 2, met: 1, left: 1 },
      },
    });
    expect((await read(service, String(body.id))).body).toEqual(body);
    expect((await readPage(service, "/campaigns")).items).toEqual([{ ...body, line: null }]);
  });

  test("are tried without being stored", async () => {
    const before = (await readPage(service, "/campaigns")).items;
    const wanted = { ...secrets, scope: { areas: ["shop"], env: ["prod"] } };
    expect(await post(service, "/campaigns?dry_run=true", wanted)).toMatchObject({
      status: 200,
      body: { progress: { ...progress, members: 2, met: 1, left: 1 } },
    });
    expectRefusal(await post(service, "/campaigns?dry_run=true", { ...wanted, scope: { areas: ["shp"] } }), {
      paths: ["scope.areas[0]"],
      message: /did you mean "shop"/,
    });
    expectRefusal(await post(service, "/campaigns?dry_run=true", { ...wanted, due: dayIn(0) }), { paths: ["due"] });
    expect((await readPage(service, "/campaigns")).items).toEqual(before);
    expect((await readPage(service, "/audit", { action: "campaign.create" })).items).toHaveLength(before.length);
  });

  test("list their members worst first, with the step that brings each there", async () => {
    const { id } = await campaign(service);
    expect(await itemsOf(service, id, "members")).toMatchObject([
      {
        app: "pay",
        env: "prod",
        value: null,
        target: 100,
        state: "left",
        step: { scorecard: "security", metric: "secret_scan", gain: null },
      },
      { app: "silent", env: null, value: null, state: "left" },
      {
        app: "cart",
        env: "prod",
        owner: "ann",
        tier: "1",
        labels: { kind: "service" },
        value: 0,
        state: "left",
        step: { metric: "secret_scan", gain: 100 },
      },
      { app: "cart", env: "staging", value: 100, state: "met", step: null, met_on: dayIn(0), joined: null },
      { app: "index", value: 100, state: "met" },
    ]);
    expect(await itemsOf(service, id, "members", { met: "false", area: "bank" })).toMatchObject([{ app: "pay" }]);
    expect(await itemsOf(service, id, "groups", { by: "area" })).toMatchObject([
      { area: "bank", members: 1, met: 0, left: 1 },
      { area: "shop", members: 4, met: 2, left: 2 },
    ]);
    expect(await itemsOf(service, id, "groups")).toMatchObject([
      { area: "bank", team: "cards", left: 1 },
      { area: "shop", team: "checkout", members: 3 },
      { area: "shop", team: "search", met: 1 },
    ]);
    expect(await itemsOf(service, id, "days")).toEqual([]);
  });

  test.each<[string, object, Partial<typeof progress>]>([
    ["a tier", { tier: [1] }, { members: 3, met: 1, left: 2 }],
    ["a label", { labels: { kind: ["service", "service"].slice(1) } }, { members: 3, met: 1, left: 2 }],
    [
      "an area and a team of another",
      { areas: ["bank"], teams: [{ area: "shop", team: "search" }] },
      { members: 2, met: 1, left: 1 },
    ],
    ["environments", { env: ["staging"] }, { members: 1, met: 1 }],
  ])("are for %s", async (_, scope, expected) => {
    const { id } = await campaign(service, { scope });
    expect((await read(service, id)).body.progress).toEqual({ ...progress, ...expected });
  });

  test("start, end and are archived by hand", async () => {
    const { id } = await campaign(service, { starts: dayIn(3), scope: { areas: ["bank"] } });
    expect((await read(service, id)).body).toMatchObject({ state: "draft" });
    expectRefusal(await change(service, id, { state: "ended" }), {
      paths: ["state"],
      message: /campaign is draft; archive it/,
    });
    expect((await change(service, id, { state: "running", owner: "ben" })).body).toMatchObject({
      state: "running",
      starts: dayIn(0),
      owner: "ben",
    });
    expectRefusal(await change(service, id, { goal: secrets.goal }), {
      paths: ["goal"],
      message: /while the campaign runs/,
    });
    expectRefusal(await change(service, id, { state: "archived" }), { paths: ["state"], message: /end it first/ });
    const { body } = await change(service, id, { state: "ended" });
    expect(body).toMatchObject({ state: "ended", ended_at: expect.any(String), ended_by: "anybody" });
    expect((await change(service, id, { state: "ended" })).body).toEqual(body);
    expectRefusal(await change(service, id, { name: "Other" }), { paths: ["name"], message: /is ended/ });
    expect((await change(service, id, { state: "archived" })).body).toMatchObject({ state: "archived" });
    expect(
      (await readPage<{ id: string }>(service, "/campaigns", { area: "bank" })).items.map((one) => one.id),
    ).not.toContain(id);
    expect((await readPage(service, "/campaigns", { state: "archived" })).items).toMatchObject([{ id }]);
    const audit = await readPage<{ action: string; area: string | null }>(service, "/audit", { area: "bank" });
    // Campaigns for all concern it too.
    const own = audit.items.filter(({ area }) => area === "bank");
    expect(own.map(({ action }) => action)).toEqual([
      "campaign.archive",
      "campaign.end",
      "campaign.start",
      "campaign.create",
    ]);
  });
});

describe("a campaign", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await organisation(service);
  });
  afterAll(() => service.stop());

  test.each<[string, object, { code?: string; paths: string[]; message?: RegExp }]>([
    ["without a goal", { goal: undefined }, { paths: ["goal"] }],
    [
      "of two goals",
      { goal: { level: "gold", metric: "security.sast", min: 1 } },
      { paths: ["goal", "goal.min"].slice(0, 1) },
    ],
    ["of a metric without a score", { goal: { metric: "security.sast" } }, { paths: ["goal.min"] }],
    ["of a level with a score", { goal: { level: "gold", min: 5 } }, { paths: ["goal.min"] }],
    [
      "of an unknown metric",
      { goal: { metric: "security.secret_scans", min: 1 } },
      { code: "unknown-metric", paths: ["goal.metric"], message: /did you mean security\.secret_scan\?/ },
    ],
    [
      "of an unknown scorecard",
      { goal: { scorecard: "secutiry", min: 1 } },
      { code: "unknown-scorecard", paths: ["goal.scorecard"], message: /security/ },
    ],
    [
      "of an unknown level",
      { goal: { level: "golden" } },
      { paths: ["goal.level"], message: /bronze, silver, gold|gold/ },
    ],
    ["of an unknown severity", { goal: { no_open_problems: ["grave"] } }, { paths: ["goal.no_open_problems[0]"] }],
    [
      "of an unknown area",
      { scope: { areas: ["shopp"] } },
      { paths: ["scope.areas[0]"], message: /did you mean "shop"\?/ },
    ],
    [
      "of an unknown team",
      { scope: { teams: [{ area: "shop", team: "chekout" }] } },
      { paths: ["scope.teams[0].team"], message: /"checkout"/ },
    ],
    ["of an unknown environment", { scope: { env: ["prd"] } }, { paths: ["scope.env[0]"], message: /"prod"/ }],
    ["of an unknown tier", { scope: { tier: [7] } }, { paths: ["scope.tier[0]"] }],
    ["of an unknown label", { scope: { labels: { knd: ["x"] } } }, { paths: ["scope.labels.knd"], message: /"kind"/ }],
    [
      "of an unknown value of a label",
      { scope: { labels: { kind: ["servise"] } } },
      { paths: ["scope.labels.kind[0]"], message: /"service"/ },
    ],
    ["that is for nothing", { scope: { areas: [] } }, { paths: ["scope.areas"], message: /leave it out/ }],
    ["that ends before it starts", { starts: dayIn(9), due: dayIn(8) }, { paths: ["due"], message: /before starts/ }],
    ["that ends today", { due: dayIn(0) }, { paths: ["due"], message: /after today/ }],
    ["on no day", { due: "2026-02-31" }, { paths: ["due"] }],
    ["with a link to anything", { why: { text: "so", url: "javascript:alert(1)" } }, { paths: ["why.url"] }],
    ["with an unknown field", { colour: "red" }, { paths: ["colour"] }],
  ])("%s is refused", async (_, fields, refusal) => {
    expectRefusal(await post(service, "/campaigns", { ...secrets, ...fields }), refusal);
    expect((await readPage(service, "/campaigns")).items).toEqual([]);
  });

  test("that is not there is not found", async () => {
    for (const id of ["0195e1f4-6c1b-4d2a-9d55-1f6a0c2f7b3e", "x'y"]) {
      expectRefusal(await read(service, encodeURIComponent(id)), { status: 404, code: "not-found" });
      expectRefusal(await change(service, encodeURIComponent(id), { name: "x" }), { status: 404, code: "not-found" });
    }
  });
});

test("a goal about a scorecard, a level and problems", async () => {
  const service = await useService();
  const env = "prod";
  await report(
    service,
    { ...cart, env },
    { "security.secret_scan": { found: true }, "security.sast": { critical: 0, high: 0, medium: 0 } },
  );
  const problem = { ...cart, env, problem_type: "terraform_secret", severity: "high" };
  await post(service, "/problem/scan-result", { ...problem, count: 2 });
  await post(service, "/problem/scan-result", { ...problem, app: "clean", count: 0 });
  await report(service, { ...cart, app: "none", env }, { "security.secret_scan": { found: false } });
  await post(service, "/waivers", {
    kind: "not_applicable",
    ...cart,
    app: "none",
    problem_type: "terraform_secret",
    reason: "no terraform",
    owner: "ann",
  });
  await report(service, { ...cart, app: "clean", env }, { "security.secret_scan": { found: true } });

  const goals: readonly [object, object[]][] = [
    [
      { scorecard: "security", min: 90 },
      [
        { app: "clean", value: 0, state: "left", step: { metric: "secret_scan" } },
        { app: "cart", value: 50, state: "left", step: { metric: "secret_scan", gain: 50 } },
        { app: "none", state: "met" },
      ],
    ],
    [
      { level: "bronze" },
      [
        { app: "cart", state: "left" },
        { app: "clean", value: null, state: "left", step: { metric: "secret_scan", gain: 100 } },
        { app: "none", value: null, state: "left" },
      ],
    ],
    [
      { no_open_problems: ["high"] },
      [
        { app: "cart", value: 1, target: 0, state: "left", step: null },
        { app: "clean", state: "met" },
        { app: "none", state: "met" },
      ],
    ],
    [
      { no_open_problems: ["high"], problem_type: "terraform_secret" },
      [
        { app: "cart", state: "left" },
        { app: "clean", state: "met" },
        { app: "none", state: "waived" },
      ],
    ],
    [{ no_open_problems: ["critical"] }, [{ app: "cart", state: "met" }, { app: "clean" }, { app: "none" }]],
  ];
  for (const [goal, members] of goals) {
    const { id } = await campaign(service, { goal });
    expect(await itemsOf(service, id, "members"), JSON.stringify(goal)).toMatchObject(members);
  }
});
