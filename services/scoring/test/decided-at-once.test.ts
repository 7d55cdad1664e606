import { expect, test } from "vitest";
import { hiddenNames } from "./support/hostile-names.ts";
import { readPage } from "./support/reading.ts";
import { type Answer, expectRefusal, post, put } from "./support/requests.ts";
import { type TestService, useService } from "./support/service.ts";
import { listed, revoke, waive } from "./support/waivers.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const basket = { ...cart, app: "basket" };
const dast = { ...cart, env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };

const waiver = { kind: "not_applicable", ...cart, scorecard: "security", reason: "a library", owner: "ann" };

const times = <Done>(count: number, act: (turn: number) => Promise<Done>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => act(turn)));

/** Asks until nothing else has locked what it needs for too long, as a client does. */
async function insist(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
  }
}

const actions = async (service: TestService, action: string) =>
  (await readPage<{ details: unknown }>(service, "/audit", { action })).items;

test("a waiver that several revoke at once is revoked once, and all hear the same", async () => {
  const service = await useService();
  const { id } = await waive(service, { ...cart, scorecard: "security" });
  const said = await times(8, () => revoke(service, id));
  for (const one of said) expect(one).toEqual(said[0]);
  expect(await actions(service, "waiver.revoke")).toHaveLength(1);
});

test("an application that several register at once is registered once, and each change is audited", async () => {
  const service = await useService();
  const answers = await times(8, (turn) =>
    insist(() => put(service, "/registry", { ...cart, owner: `owner ${turn}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const sum = (field: string) => answers.reduce((sum, { body }) => sum + Number(body[field]), 0);
  expect([sum("registered"), sum("changed"), sum("unchanged")]).toEqual([1, 7, 0]);
  expect((await readPage(service, "/registry")).total).toBe(1);
  expect(await actions(service, "app.register")).toHaveLength(8);
});

test("waivers that are made while their application moves are all of its new name", async () => {
  const service = await useService();
  await post(service, "/score", dast);
  const [answers] = await Promise.all([
    times(8, () => insist(() => post(service, "/waivers", waiver))),
    insist(() => post(service, "/apps/move", { from: cart, to: basket })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect((await listed(service)).map(({ app }) => app)).toEqual(Array(8).fill("basket"));
});

test("reports that come while their application is retired are stored before, or refused", async () => {
  const service = await useService();
  await post(service, "/score", dast);
  const [answers, retired] = await Promise.all([
    times(8, (turn) => insist(() => post(service, "/score", { ...dast, env: `env ${turn}` }))),
    insist(() => post(service, "/apps/retire", { ...cart, reason: "replaced" })),
  ]);
  expect(retired.status).toBe(200);
  const stored = answers.filter(({ status }) => status === 200).length;
  for (const answer of answers)
    if (answer.status !== 200) expectRefusal(answer, { status: 409, code: "app-retired", paths: ["app"] });
  expect(retired.body).toMatchObject({ scores: 1 + stored });
  expect((await readPage(service, "/scores")).items).toEqual([]);
});

test("one bad entry among a thousand registers none of them", async () => {
  const service = await useService();
  const apps = Array.from({ length: 1_000 }, (_, index) => ({ ...cart, app: `app ${index}` }));
  for (const [place, bad] of [
    [0, ...hiddenNames.slice(0, 1)],
    [999, "a\u202eb"],
  ] as const) {
    const body = { apps: apps.with(place, { ...cart, app: String(bad) }) };
    expectRefusal(await put(service, "/registry", body), { paths: [`apps[${place}].app`] });
  }
  expect((await readPage(service, "/registry")).items).toEqual([]);
  expect(await actions(service, "app.register")).toEqual([]);
});
