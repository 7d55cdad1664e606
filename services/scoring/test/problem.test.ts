import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startChatServer } from "./support/chat-server.ts";
import { nextMillisecond, post, rows } from "./support/requests.ts";
import { createDatabase, engines, startService, type TestService, until } from "./support/service.ts";

const report = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  problem_type: "terraform_secret",
  severity: "high",
  count: 2,
  details: [{ file: "main.tf", line: 3, description: "AWS key" }, { file: "b.tf" }],
  chat_channel: "#security",
};

const { chat_channel: _channel, ...withoutChannel } = report;
const { details: _details, ...withoutDetails } = report;

describe.each(engines)("POST /problem/scan-result on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
  });
  afterAll(() => service.stop());

  const send = (area: string, changes: object = {}, base: object = report) =>
    post(service, "/problem/scan-result", { ...base, ...changes, area });
  /** The rows of one area, so that each test has its own. */
  const stored = async (area: string) => (await rows(service, "problems")).filter((row) => row.area === area);

  test("answers with the stored problem, its times and what became of the alert", async () => {
    const { status, body } = await send("answer");
    expect(status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body).toEqual({
      ...report,
      area: "answer",
      opened_at: time,
      reported_at: time,
      alert: "disabled",
      stored: "current",
    });
    const { reported_at, opened_at } = body as { reported_at: string; opened_at: string };
    expect(await stored("answer")).toMatchObject([
      { ...report, area: "answer", opened_at: new Date(opened_at), reported_at: new Date(reported_at) },
    ]);
  });

  test("a later report replaces severity, count, details and channel", async () => {
    await send("again");
    const changes = { severity: "low", count: 1, details: [{ file: "c.tf" }] };
    expect((await send("again", changes, withoutChannel)).status).toBe(200);
    expect(await stored("again")).toMatchObject([{ ...report, ...changes, area: "again", chat_channel: null }]);
    expect((await stored("again"))[0]?.details).toEqual([{ file: "c.tf" }]);
  });

  test.each(["team", "app", "env", "problem_type"])("another %s is another problem", async (field) => {
    await send(`by ${field}`);
    await send(`by ${field}`, { [field]: "another" });
    expect((await stored(`by ${field}`)).map((row) => row[field]).sort()).toEqual(
      ["another", report[field as "team"]].sort(),
    );
  });

  test("count 0 of a problem never seen is stored: scanned and clean", async () => {
    const { body } = await send("clean", { count: 0, details: [] });
    expect(body).toMatchObject({ count: 0, details: [], opened_at: null, alert: "not_needed" });
    expect(await stored("clean")).toMatchObject([{ count: 0, details: [], opened_at: null }]);
  });

  test("count 0 resolves a problem: its row stays, without details", async () => {
    await send("resolved");
    const { body } = await send("resolved", { count: 0 }, withoutDetails);
    expect(body).toMatchObject({ count: 0, details: [], opened_at: null, alert: "not_needed" });
    expect(await stored("resolved")).toMatchObject([{ count: 0, details: [], opened_at: null, severity: "high" }]);
  });

  test("a problem is open since the first report with findings, until it is resolved", async () => {
    const times: { opened_at: unknown; reported_at: unknown }[] = [];
    for (const count of [2, 3, 0, 0, 4, 2]) {
      const { body } = await send("open", { count }, withoutDetails);
      times.push({ opened_at: body.opened_at, reported_at: body.reported_at });
      await nextMillisecond(service);
    }
    const [first, , , , reopened] = times;
    expect(times.map(({ opened_at }) => opened_at)).toEqual([
      first?.reported_at,
      first?.reported_at,
      null,
      null,
      reopened?.reported_at,
      reopened?.reported_at,
    ]);
    expect(new Set(times.map(({ reported_at }) => reported_at)).size).toBe(6);
  });

  test.each([
    ["critical", "critical"],
    ["CRITICAL", "critical"],
    ["High", "high"],
    ["meDium", "medium"],
    ["low", "low"],
    ["Info", "info"],
  ])("severity %s is stored as %s", async (given, severity) => {
    expect((await send(`severity ${given}`, { severity: given })).body.severity).toBe(severity);
    expect(await stored(`severity ${given}`)).toMatchObject([{ severity }]);
  });

  test("details may be left out", async () => {
    expect((await send("none", {}, withoutDetails)).body.details).toEqual([]);
    expect(await stored("none")).toMatchObject([{ count: 2, details: [] }]);
  });

  const many = Array.from({ length: 1_000 }, (_, line) => ({ file: "a", line }));
  test.each<{ about: string; count: number; details: object[] }>([
    { about: "fewer details than count", count: 2_147_483_647, details: [{ file: "a" }] },
    { about: "1,000 details", count: 1_000, details: many },
    { about: "1,000 details of more findings", count: 5_000, details: many },
    { about: "a file of one character", count: 1, details: [{ file: "x" }] },
    { about: "a file of 4,096 emoji", count: 1, details: [{ file: "\u{1f600}".repeat(4_096) }] },
    { about: "line 0", count: 1, details: [{ file: "x", line: 0 }] },
    { about: "the last line", count: 1, details: [{ file: "x", line: 2_147_483_647 }] },
    {
      about: "a description of 4,000 emoji",
      count: 1,
      details: [{ file: "x", description: "\u{1f600}".repeat(4_000) }],
    },
    { about: "an empty description", count: 1, details: [{ file: "x", description: "" }] },
    { about: "a description of several lines", count: 1, details: [{ file: "x", description: "a\n\tb\r\nc" }] },
    { about: "a file with blanks around", count: 1, details: [{ file: ' x\\y "z" ' }] },
    { about: "the same finding twice", count: 2, details: [{ file: "x" }, { file: "x" }] },
  ])("takes $about, and stores it as it came", async ({ about, count, details }) => {
    const { status, body } = await send(about, { count, details });
    expect({ status, details: body.details }).toEqual({ status: 200, details });
    expect((await stored(about))[0]).toMatchObject({ count, details });
  });

  test("writers at once on one problem leave one row, whole from one of them", async () => {
    const counts = Array.from({ length: 30 }, (_, index) => index);
    const answers = await Promise.all(
      counts.map((count) => send("race", { count, chat_channel: `#${count}` }, withoutDetails)),
    );
    expect(answers.map(({ status }) => status)).toEqual(counts.map(() => 200));
    const found = await stored("race");
    expect(found).toHaveLength(1);
    expect(found[0]?.chat_channel).toBe(`#${found[0]?.count}`);
    expect(found[0]?.opened_at === null).toBe(found[0]?.count === 0);
  });
});

describe.each(engines)("the alert of a report on %s, with chat but no default channel", (kind) => {
  let service: TestService;
  let chat: Awaited<ReturnType<typeof startChatServer>>;
  beforeAll(async () => {
    chat = await startChatServer();
    service = await startService({ databaseUrl: await createDatabase(kind), chat: { token: "t", apiUrl: chat.url } });
  });
  afterAll(async () => {
    await service.stop();
    await chat.close();
  });

  test("is not queued without a channel, not needed for count 0, and queued otherwise", async () => {
    const alertOf = async (body: object) => (await post(service, "/problem/scan-result", body)).body.alert;
    expect(await alertOf(withoutChannel)).toBe("no_channel");
    expect(await alertOf({ ...report, count: 0, details: [] })).toBe("not_needed");
    expect(await alertOf(report)).toBe("queued");
    await until(() => chat.messages().length > 0);
    expect(chat.messages()).toHaveLength(1);
    expect(chat.messages()[0]?.channel).toBe("#security");
  });
});
