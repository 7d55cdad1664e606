import { describe, expect, test } from "vitest";
import { alertRows, endRests, noneWaits, rest } from "./support/alert-rows.ts";
import { useChatServer } from "./support/chat-server.ts";
import { problem, report } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { createDatabase, engines, type TestService, until, useService } from "./support/service.ts";
import { revoke, waive } from "./support/waivers.ts";

const { area, team, app, env, problem_type } = problem;
const waiver = { area, team, app, env, problem_type };

async function useChat(databaseUrl?: string) {
  const chat = await useChatServer(() => ({ ok: true }));
  const service = await useService({
    chat: { token: "xoxb-1", apiUrl: chat.url },
    ...(databaseUrl !== undefined && { databaseUrl }),
  });
  const announced = async () => {
    await until(() => noneWaits(service.databaseUrl));
    return chat.messages().map(({ text }) => /\w+/.exec(text)?.[0]);
  };
  return { service, announced };
}

const alertOf = async (service: TestService) =>
  (await readPage<{ alert: string | null }>(service, "/problems?all=true")).items[0]?.alert;

describe.each(engines)("a waived problem on %s", (kind) => {
  test("stays open and visible, and nobody is named it until the waiver ends", async () => {
    const chat = await useChatServer(() => ({ ok: true }));
    const service = await useService({
      ...{ databaseUrl: await createDatabase(kind), chat: { token: "xoxb-1", apiUrl: chat.url } },
    });
    const { id } = await waive(service, { area, problem_type });
    await waive(service, { area, scorecard: "security" }); // waives no problem
    expect(await report(service)).toMatchObject({ status: 200, alert: "waived", opened_at: expect.any(Date) });
    expect(await alertOf(service)).toBe("waived");
    await revoke(service, id);
    expect(await alertOf(service)).toBe(null);
    expect(await report(service)).toMatchObject({ alert: "queued" });
    await until(() => chat.messages().length === 1);
  });
});

test("the end of a problem is announced to those that heard of it, though it is waived by then", async () => {
  const { service, announced } = await useChat();
  await report(service);
  expect(await announced()).toEqual(["high"]);
  await waive(service, waiver);
  expect(await report(service)).toMatchObject({ alert: "waived" });
  expect(await report(service, { count: 0, details: [] })).toMatchObject({ alert: "queued" });
  expect(await announced()).toEqual(["high", "resolved"]);
});

test.each([
  ["of another team", { ...waiver, team: "search" }],
  ["of another kind", { ...waiver, problem_type: "other" }],
])("a waiver %s silences nothing", async (_, other) => {
  const { service, announced } = await useChat();
  await waive(service, other);
  expect(await report(service)).toMatchObject({ alert: "queued" });
  expect(await announced()).toEqual(["high"]);
});

test("an alert that waits is not sent once its problem is waived, nor is its end, and the next one is when the waiver ended", async () => {
  const { service, announced } = await useChat();
  await rest(service.databaseUrl, "#security");
  expect(await report(service)).toMatchObject({ alert: "queued" });
  const { id } = await waive(service, waiver);
  await endRests(service.databaseUrl);
  await until(async () => (await alertRows(service.databaseUrl)).length === 0);
  expect(await report(service, { count: 0, details: [] })).toMatchObject({ alert: "not_needed" });
  expect(await announced()).toEqual([]);
  await revoke(service, id);
  expect(await report(service)).toMatchObject({ alert: "queued" });
  expect(await announced()).toEqual(["high"]);
});
