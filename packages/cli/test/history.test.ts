import { type AnySubmission, createClient } from "@maturity/client";
import { widthOf } from "@maturity/command-line/text-width";
import { beforeAll, describe, expect, test } from "vitest";
import { ageScores, dueDay, missDays, writeDays } from "../../../services/scoring/test/support/days.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const sla = { scorecard: "reliability", metric: "sla" };
/** The last two days whose roll-ups are written. */
let days: string[];

beforeAll(async () => {
  const client = createClient<AnySubmission>({ url: service.url });
  const { knex } = service.database;
  await client.submitAll([
    { ...cart, ...sla, raw: { availability_pct: 100 } },
    { ...cart, app: "search", ...sla, raw: { availability_pct: 99 } },
  ]);
  await ageScores(knex, 2);
  await missDays(knex, 2);
  await writeDays(service.database, { freshForHours: 24 });
  days = await Promise.all([1, 0].map((before) => dueDay(knex, before)));
  await client.submitAll([
    { ...cart, ...sla, raw: { availability_pct: 99 } },
    { ...cart, app: "new", ...sla, raw: { availability_pct: 100 } },
  ]);
});

const squeezed = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/ +/g, " ").trim());

describe("maturity score history", () => {
  test("shows each day of the application", async () => {
    const { code, stdout, stderr } = await service.maturity(["score", "history"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(squeezed(stdout)).toEqual([
      "DAY SCORE REPORTED FRESH",
      `${days[0]} 100.0 8 % -`, // written more than a day late
      `${days[1]} 100.0 8 % 8 %`,
    ]);
  });

  test("shows each day of its team, from a day on", async () => {
    const { stdout } = await service.maturity(["score", "history", "--of", "team", "--since", days[1] ?? ""]);
    expect(squeezed(stdout)).toEqual(["DAY SCORE REPORTED FRESH OF LOWEST", `${days[1]} 75.0 8 % 8 % 2 50.0`]);
  });

  test("shows each change of a metric, and why", async () => {
    const { stdout } = await service.maturity(["score", "history", "--metric", "sla"]);
    const day = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`;
    expect(squeezed(stdout).join("\n")).toMatch(
      new RegExp(
        `^AT BEFORE SCORE CAUSE SCORER\n${day} - 100.0 report @maturity/\\S+\n${day} 100.0 50.0 report @maturity/\\S+$`,
      ),
    );
  });

  test("in NDJSON has an object a line, in CSV what the service sends", async () => {
    const { stdout } = await service.maturity(["score", "history", "--ndjson"]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject(days.map((day) => ({ at: `${day}T00:00:00.000Z`, score: 100 })));
    const csv = await service.maturity(["score", "history", "--csv", "-m", "sla"]);
    expect(csv.stdout).toMatch(/^at,scorecard,metric,score,former,scorer,cause,area,team,app,env\r\n/);
  });

  test.each<[string, string[], number, string]>([
    ["nothing", ["--app", "unknown"], 0, "no days are recorded"],
    ["a misspelt name", ["--team", "chekcout"], 0, "there is no team chekcout with a score; did you mean checkout?"],
    ["no change", ["-m", "mttr"], 0, "no change is recorded"],
    ["a day that is none", ["--since", "yesterday"], 3, "since must be a day such as"],
    ["a metric of a team", ["-m", "sla", "--of", "team"], 2, "--metric is of an application"],
  ])("of %s says so", async (_, argv, code, message) => {
    const result = await service.maturity(["score", "history", ...argv]);
    expect({ code: result.code, said: result.stdout + result.stderr }).toEqual({
      code,
      said: expect.stringContaining(message),
    });
  });

  test("of an area needs no team and no application", async () => {
    const env = { MATURITY_TEAM: "", MATURITY_APP: "" };
    expect((await service.maturity(["score", "history", "--of", "area"], {}, { env })).code).toBe(0);
    const { code, stderr } = await service.maturity(["score", "history"], {}, { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("team, app are missing") });
  });
});

describe("maturity app changes", () => {
  test("shows the greatest loss first, and what made it", async () => {
    const { code, stdout } = await service.maturity(["app", "changes", "--since", days[1] ?? ""]);
    expect({ code, lines: squeezed(stdout) }).toEqual({
      code: 0,
      lines: [
        "AREA TEAM APP ENV THEN NOW CHANGE BY REPORTS",
        "shop checkout cart prod 100.0 50.0 -50.0 -50.0",
        "shop checkout search prod 50.0 50.0 0.0",
        "shop checkout new prod - 100.0 new",
      ],
    });
  });

  test.each([
    ["team", "shop checkout prod"],
    ["organisation", "- - prod"],
  ])("adds up the applications of each %s", async (by, names) => {
    const { stdout } = await service.maturity(["app", "changes", "--by", by, "--since", days[1] ?? ""]);
    expect(squeezed(stdout)).toEqual(["AREA TEAM ENV APPS FELL ROSE CHANGE BY REPORTS", `${names} 2 1 0 -25.0 -25.0`]);
  });

  test("narrows by its flags, fits a terminal, and is JSON where asked for", async () => {
    const terminal = { isTTY: true, columns: 60, env: { NO_COLOR: "1" } };
    const { stdout } = await service.maturity(["app", "changes", "--since", "1d"], {}, terminal);
    for (const line of stdout.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(60);
    const json = await service.maturity(["app", "changes", "--app", "cart", "--ndjson"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ ...cart, score: 50 });
  });
});

test("list and status show how a score changed since the first moment of a day", async () => {
  const { stdout } = await service.maturity(["app", "list", "--since", days[1] ?? "", "--sort", "change"]);
  expect(squeezed(stdout)).toEqual([
    "AREA TEAM APP ENV SCORE CHANGE REPORTED FRESH PROBLEMS LEVEL",
    "shop checkout cart prod 50.0 -50.0 8 % thin 8 % - none",
    "shop checkout search prod 50.0 0.0 8 % thin 8 % - none",
    "shop checkout new prod 100.0 8 % thin 8 % - none",
  ]);
});

test("list shows who never reported a metric", async () => {
  const { stdout } = await service.maturity(["app", "list", "--missing", "sla", "--missing", "mttr"]);
  expect(squeezed(stdout)).toHaveLength(4);
  expect((await service.maturity(["app", "list", "--missing", "sla"])).stdout).toBe(
    "no applications match the flags\n",
  );
});
