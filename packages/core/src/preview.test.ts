import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineMetric, defineScorecard, halving, piecewise, type Scorecard } from "./index.ts";
import { preview } from "./preview.ts";

const cost: Scorecard = defineScorecard({
  name: "cost",
  dimension: "run",
  weight: 20,
  package: { name: "@acme/cost", version: "1.0.0" },
  metrics: [
    defineMetric({
      name: "budget",
      title: "Spending",
      weight: 60,
      raw: z.looseObject({ spent_pct: z.number().min(0) }),
      score: piecewise("spent_pct", [
        [100, 100],
        [200, 0],
      ]),
    }),
    defineMetric({
      name: "idle",
      title: "Idle resources",
      weight: 40,
      raw: z.looseObject({ high: z.int().min(0) }),
      score: halving({ high: 1 }),
    }),
  ],
});

const spent = (app: string, spent_pct: unknown) =>
  JSON.stringify({
    table: "scores",
    area: "a",
    team: "t",
    app,
    env: "e",
    scorecard: "cost",
    metric: "budget",
    raw: { spent_pct },
  });
const dast = (high: number) => JSON.stringify({ scorecard: "security", metric: "dast", raw: { high } });

/** The lines of the preview of a metric, without what is indented before and behind. */
async function previewOf(metric: string, lines: readonly string[], ...raws: string[]): Promise<string[]> {
  const parts = (await preview(cost, lines, raws)).split("\n\n");
  const part = parts.find((text) => text.startsWith(`cost.${metric}: `)) ?? "";
  return part.split("\n").map((line) => line.trim());
}

describe("preview", () => {
  test("shows the distribution, the five lowest and why", async () => {
    const lines = [100, 100, 100, 195, 190, 185, 180, 150].map((spent_pct, index) => spent(`app ${index}`, spent_pct));
    const [first, ...rest] = await previewOf("budget", lines);
    expect(first).toBe("cost.budget: 8 of 8 raws scored, median 35");
    const bars = rest.slice(0, 10).map((line) => line.replace(/^(\d+) to +(\d+) +(\d+) *(#*)$/, "$3"));
    expect(bars.map(Number)).toEqual([1, 2, 1, 0, 0, 1, 0, 0, 0, 3]);
    expect(rest.slice(0, 10).map((line) => line.replace(/[^#]/g, "").length)).toEqual([
      14, 27, 14, 0, 0, 14, 0, 0, 0, 40,
    ]);
    const lowest = rest.slice(11).filter((line) => /^\d/.test(line));
    expect(lowest.map((line) => line.replace(/ +/, " "))).toEqual([
      "5 a / t / app 3 / e",
      "10 a / t / app 4 / e",
      "15 a / t / app 5 / e",
      "20 a / t / app 6 / e",
      "50 a / t / app 7 / e",
    ]);
    expect(rest[12]).toMatch(/^a \/ t|^spent_pct is 195, which scores 5; /);
  });

  test("is laid out for a terminal", async () => {
    const lines = [100, 200, 100, 150, 101].map((spent_pct, index) => spent(`app ${index}`, spent_pct));
    const lone = JSON.stringify({ scorecard: "cost", metric: "budget", area: "a", raw: { spent_pct: 199 } });
    const text = await preview(cost, [...lines, lone, spent("b", "x"), "  ", spent("c", "x")], ["idle=security.dast"]);
    expect(text).toBe(
      [
        "cost.budget: 6 of 8 raws scored, median 74.5",
        `   0 to  10       2  ${"#".repeat(27)}`,
        ...["  10 to  20       0", "  20 to  30       0", "  30 to  40       0", "  40 to  50       0"],
        `  50 to  60       1  ${"#".repeat(14)}`,
        ...["  60 to  70       0", "  70 to  80       0", "  80 to  90       0"],
        `  90 to 100       3  ${"#".repeat(40)}`,
        "  lowest",
        "       0  a / t / app 1 / e",
        "          spent_pct is 200, which scores 0; the score falls evenly from 100 at 100 to 0 at 200",
        "       1  a",
        "          spent_pct is 199, which scores 1; the score falls evenly from 100 at 100 to 0 at 200",
        "      50  a / t / app 3 / e",
        "          spent_pct is 150, which scores 50; the score falls evenly from 100 at 100 to 0 at 200",
        "      99  a / t / app 4 / e",
        "          spent_pct is 101, which scores 99; the score falls evenly from 100 at 100 to 0 at 200",
        "     100  a / t / app 0 / e",
        "          spent_pct is 100, which scores 100; the score falls evenly from 100 at 100 to 0 at 200",
        "  refused",
        "       2  raw.spent_pct Invalid input: expected number, received string",
        "",
        "cost.idle: the file has no raws of it",
      ].join("\n"),
    );
  });

  test("tries several metrics on the raws of one, and none of them on its own then", async () => {
    const both = [dast(0), JSON.stringify({ scorecard: "cost", metric: "idle", raw: { high: 3 } })];
    const text = await preview(cost, both, ["budget=security.dast", "idle=security.dast"]);
    expect(text).toMatch(/^cost\.budget: 0 of 1 raws scored\n {2}refused\n {7}1 {2}raw\.spent_pct /);
    expect(text).toContain("\n\ncost.idle: 1 of 1 raws scored, median 100\n");
  });

  test("counts what is refused by its message, the most frequent first", async () => {
    const lines = [
      spent("b", -1),
      spent("a", "80"),
      spent("c", "x"),
      spent("d", 100),
      '{"scorecard":"cost","metric":"budget"}',
    ];
    const printed = await previewOf("budget", lines);
    expect(printed[0]).toBe("cost.budget: 1 of 5 raws scored, median 100");
    expect(printed.slice(printed.indexOf("refused") + 1)).toEqual([
      "2  raw.spent_pct Invalid input: expected number, received string",
      "1  raw.spent_pct Too small: expected number to be >=0",
      "1  raw must be an object",
    ]);
  });

  test("holds no more kinds of refusals than people read", async () => {
    const lines = Array.from({ length: 50 }, (_, index) => spent("a", index));
    const text = await preview(budgetWith({ raw: echoing }), [...lines, spent("a", 0)]);
    const refused = text.split("\n  refused\n")[1]?.split("\n");
    expect(refused).toHaveLength(21);
    expect(refused?.slice(0, 2)).toEqual(["      30  other messages", '       2  raw {"spent_pct":0} is not liked']);
  });

  test("counts a result with two faults once, and what its scorer throws", async () => {
    const two = budgetWith({ raw: z.looseObject({ spent_pct: z.number(), planned: z.number() }) });
    expect(await preview(two, [spent("a", "80")])).toMatch(/1 {2}raw\.spent_pct .+; raw\.planned [^;]+$/);
    const failing = budgetWith({
      score: () => {
        throw new Error("no");
      },
    });
    expect(await preview(failing, [spent("a", 80)])).toContain(
      "1  cost.budget of @acme/cost@1.0.0 threw while scoring",
    );
  });

  test("leaves out other tables, scorecards and empty lines", async () => {
    const other = [
      JSON.stringify({ table: "problems" }),
      dast(1),
      "",
      JSON.stringify({ table: "score_changes", scorecard: "cost", metric: "budget" }),
    ];
    expect(await previewOf("budget", other)).toEqual(["cost.budget: the file has no raws of it"]);
  });

  test("counts and names what no metric takes, the most frequent first", async () => {
    const mistyped = (metric: string) => JSON.stringify({ scorecard: "cost", metric, raw: { spent_pct: 80 } });
    const lines = [mistyped("budgt\u001b"), spent("a", 100), dast(1), dast(2), '{"table":"problems"}', '{"lines":5}'];
    expect((await preview(cost, lines)).split("\n\n").at(-1)).toBe(
      ["no metric takes these lines", "       2  security.dast", "       1  cost.budgt\uFFFD"].join("\n"),
    );
    const many = Array.from({ length: 50 }, (_, index) => mistyped(`m${index}`));
    const listed = (await preview(cost, many)).split("\n\n").at(-1)?.split("\n");
    expect(listed).toHaveLength(22);
    expect(listed?.slice(0, 2)).toEqual(["no metric takes these lines", "      30  others"]);
  });

  test("the median of an even number is the mean of the two in the middle", async () => {
    const medianOf = async (...pcts: number[]) =>
      (
        await previewOf(
          "budget",
          pcts.map((pct) => spent("a", pct)),
        )
      )[0]?.replace(/.* median /, "");
    expect(await medianOf(100, 200)).toBe("50");
    expect(await medianOf(166.67, 166.66)).toBe("33.335");
    expect(await medianOf(100, 120, 200)).toBe("80");
  });

  test("tries a metric on the raws of another one", async () => {
    const [first, ...rest] = await previewOf("idle", [dast(0), dast(1), dast(2)], "idle=security.dast");
    expect(first).toBe("cost.idle: 3 of 3 raws scored, median 50");
    expect(rest).not.toContain("refused");
  });

  test.each(["idle", "idle=", "idle=dast", "nothing=security.dast", "=a.b", "idle=a.b.c", "x=idle=security.dast"])(
    "refuses %j",
    async (raws) => {
      await expect(preview(cost, [], [raws])).rejects.toThrow(
        "is not METRIC=SCORECARD.METRIC, where METRIC is one of budget, idle",
      );
    },
  );

  test("keeps why a line is no JSON", async () => {
    await expect(preview(cost, ["{"])).rejects.toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) }));
  });

  test.each([
    ["{", "line 2 is not JSON"],
    ["null", "line 2 is not a JSON object"],
    ["1", "line 2 is not a JSON object"],
    ['{"metric":"budget","raw":{}}', "line 2 needs the field scorecard, a text"],
    ['{"table":"scores","scorecard":"cost","metric":1}', "line 2 needs the field metric, a text"],
  ])("says which line cannot be read: %s", async (line, message) => {
    await expect(preview(cost, [dast(1), line])).rejects.toThrow(message);
  });

  test("lets no name and no message move the cursor", async () => {
    const text = await preview(cost, [spent("\u001b[2Jx", 200)]);
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    expect(text).toContain(" / \uFFFD[2Jx / ");
  });
});

/** The scorecard with its first metric alone, in order but for what is given. */
function budgetWith(changes: object): Scorecard {
  return { ...cost, metrics: [{ ...cost.metrics[0], ...changes } as (typeof cost.metrics)[number]] };
}

/** A validator whose messages hold the input, as those of some authors do. */
const echoing = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) => ({ issues: [{ message: `${JSON.stringify(value)} is not liked` }] }),
  },
};
