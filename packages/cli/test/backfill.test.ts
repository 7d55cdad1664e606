import { describe, expect, test } from "vitest";
import type { Files } from "../../../test-support/trees.ts";
import { listeningService } from "./support/listening-service.ts";
import { lcov } from "./support/sample-reports.ts";

const service = listeningService();

const daysAgo = (days: number) =>
  new Date(Math.floor(Date.now() / 1_000) * 1_000 - days * 86_400_000).toISOString().replace(".000Z", "Z");
const backfill = (argv: readonly string[], files: Files = {}, app = "cart", stdin: string | Buffer = "") =>
  service.maturity(["backfill", ...argv], files, { env: { MATURITY_APP: app }, stdin });
const history = async (app: string, metric = "unit_coverage") => {
  const argv = ["score", "history", "--metric", metric, "--app", app, "--since", "90d", "--ndjson"];
  const { stdout } = await service.maturity(argv);
  return stdout.split("\n").flatMap((line) => {
    const { at, score, former } = line === "" ? {} : JSON.parse(line);
    return line === "" ? [] : [[Date.parse(at), former, score]];
  });
};
const at = (time: string) => Date.parse(time);

describe("a table", () => {
  const [oldest, older, newest] = [daysAgo(30), daysAgo(20), daysAgo(10)];
  const rows = [
    "area,team,app,env,scorecard,metric,score,measured_at,raw.coverage_pct",
    `shop,checkout,past,prod,application,unit_coverage,,${newest},80`,
    `shop,checkout,past,prod,application,unit_coverage,,${oldest},20`,
    `shop,checkout,past,prod,application,unit_coverage,,${older},50`,
  ].join("\n");
  const line = [
    [at(oldest), null, 20],
    [at(older), 20, 50],
    [at(newest), 50, 100],
  ];

  test("goes into the history in the order of its times, and sent again changes nothing", async () => {
    const first = await backfill(["past.csv"], { "past.csv": rows });
    expect(first).toEqual({
      code: 0,
      stdout: `unit_coverage 3 results of 1 application on 3 days, ${oldest.slice(0, 10)} to ${newest.slice(0, 10)}
3 results stored
`,
      stderr: "note: these columns are passed over: score\n",
    });
    expect(await history("past")).toEqual(line);
    expect(await backfill(["past.csv"], { "past.csv": rows })).toMatchObject({ code: 0 });
    expect(await history("past")).toEqual(line);
  });

  test("in NDJSON from standard input, with what the flags say", async () => {
    const stdin = [
      { measured_at: older, raw: { coverage_pct: 50 } },
      { measured_at: oldest, "raw.coverage_pct": 20 },
    ];
    const text = stdin.map((row) => JSON.stringify(row)).join("\n");
    const result = await backfill(["--json", "--metric", "unit_coverage", "-"], {}, "lines", text);
    expect(JSON.parse(result.stdout)).toMatchObject({ stored: 2, skipped: [] });
    expect(await history("lines")).toEqual(line.slice(0, 2));
  });

  test.each(["past.csv", "-"])("in another encoding than UTF-8 is refused, with its line: %s", async (path) => {
    const bytes = Buffer.from(rows.replace("shop,checkout,past", "shop,checkout,caf\u00e9"), "latin1");
    expect(await backfill([path], { "past.csv": bytes }, "latin", bytes)).toEqual({
      code: 2,
      stdout: "",
      stderr: `maturity: ${path}: line 2 is not UTF-8; save the table as UTF-8\n`,
    });
  });

  test.each(["text/csv", "application/x-ndjson"])("as the service lists scores in %s", async (accept) => {
    const url = `${service.url}/scores?area=shop&team=checkout&app=past&detail=true`;
    const answer = await fetch(url, { headers: { accept } });
    const app = `copied by ${accept}`;
    const text = (await answer.text()).replace(/\bpast\b/, app);
    expect(await backfill(["-"], {}, app, text)).toMatchObject({ code: 0 });
    expect(await history(app)).toEqual([[at(newest), null, 100]]);
  });

  test("--since leaves out what is before, where a call goes on", async () => {
    const result = await backfill(["--since", older, "--app", "x", "past.csv"], {
      "past.csv": rows.replaceAll("past,prod", "since,prod"),
    });
    expect(result.stdout).toContain("2 results stored");
    expect((await history("since")).map(([time]) => time)).toEqual([at(older), at(newest)]);
  });

  test("--dry-run sends nothing", async () => {
    const { code, stdout } = await backfill(["--dry-run", "past.csv"], {
      "past.csv": rows.replaceAll("past,prod", "dry,prod"),
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/ on 3 days.*\nnothing was sent/) });
    expect((await service.rows("scores")).filter(({ app }) => app === "dry")).toEqual([]);
  });

  const wrong = [
    "app,metric,measured_at,raw.coverage_pct,raw",
    `wrong,unit_coverage,${older},50,`,
    `wrong,unit_coverage,yesterday,50,`,
    `wrong,unit_coverge,${older},50,`,
    `wrong,unit_coverage,${older},500,`,
    `wrong,unit_coverage,${older},,`,
    `wrong,unit_coverage,${older},,[1]`,
    `wrong,unit_coverage,${older},50,"{""coverage_pct"":9}"`,
    `"wr\u0007ong",unit_coverage,,50,`,
    "wrong",
  ].join("\n");

  test("with wrong rows is refused by their lines, and nothing is sent", async () => {
    const { code, stderr } = await backfill(["past.csv"], { "past.csv": wrong });
    expect(code).toBe(2);
    const lines = stderr.split("\n").filter((text) => text.startsWith("  - "));
    expect(lines).toEqual(
      [
        /line 3: measured_at must be a time with its zone, .*not yesterday$/,
        /line 4: metric: there is no metric unit_coverge/,
        /line 5: raw does not fit application.unit_coverage: raw\.coverage_pct.*100/,
        /line 6: raw is missing/,
        /line 7: raw must be an object in JSON; raw is missing/,
        /line 8: raw\.coverage_pct stands in raw too$/,
        /line 9: app .*; measured_at is missing$/,
        /line 10: has 1 cells, and the first row 5$/,
      ].map((pattern) => expect.stringMatching(pattern)),
    );
    expect((await service.rows("scores")).filter(({ app }) => app === "wrong")).toEqual([]);
  });

  test("with what the service does not store is refused before the first row is sent", async () => {
    const good = { app: "unstorable", metric: "unit_coverage", measured_at: older, raw: { coverage_pct: 50 } };
    const odd = { ...good, metric: "acme.odd" };
    const table = [
      good,
      { ...good, pipeline_id: "x".repeat(201) },
      { ...good, project_repo: "a\u200bb" },
      { ...good, raw: { coverage_pct: 50, note: "a\0" } },
      { ...odd, raw: { note: "a\0" } },
      { ...odd, raw: { note: "x".repeat(1_048_576) } },
    ];
    const files = { "past.ndjson": table.map((row) => JSON.stringify(row)).join("\n") };
    for (const flags of [["--dry-run"], []]) {
      expect(await backfill([...flags, "past.ndjson"], files)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`maturity: nothing was sent:
  - line 2: pipeline_id must be a text of 1 to 200 characters, without a space at either end
  - line 3: project_repo must not hold U+200B, which is not printable, as character 2
  - line 4: raw.note must not hold NUL characters or lone surrogates
  - line 5: raw.note must not hold NUL characters or lone surrogates
  - line 6: takes more than 1,048,576 bytes; send less
`),
      });
    }
    expect((await service.rows("scores")).filter(({ app }) => app === "unstorable")).toEqual([]);
  });

  test.each([
    [
      "a day that does not exist",
      "app,measured_at\na,2026-02-30T08:00:00Z",
      "line 2: measured_at must be a time with its",
    ],
    [
      "a list in JSON",
      '[{"app":"a"},{"app":"b"}]',
      "the table is a list in JSON: give NDJSON, with each object in a line of its own, or CSV",
    ],
  ])("with %s is refused", async (_, table, reason) => {
    const result = await backfill(["--dry-run", "past.csv"], { "past.csv": table });
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
  });

  test("with two values of one time is refused, and the same row twice is not", async () => {
    const row = (pct: number) => `twice,unit_coverage,${older},${pct}`;
    const table = (...rows: string[]) => ({
      "past.csv": ["app,metric,measured_at,raw.coverage_pct", ...rows].join("\n"),
    });
    expect(await backfill(["--dry-run", "past.csv"], table(row(50), row(60)))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("line 3: is of the same metric and time as line 2, with other values"),
    });
    expect(await backfill(["past.csv"], table(row(50), row(50)))).toMatchObject({ code: 0 });
    expect(await history("twice")).toEqual([[at(older), null, 50]]);
  });

  test("lists 20 of many wrong rows", async () => {
    const rows = ["app,metric,measured_at,raw.coverage_pct", ...Array.from({ length: 30 }, () => "a,unit_coverage,,1")];
    const { stderr } = await backfill(["--dry-run", "past.csv"], { "past.csv": rows.join("\n") });
    expect(stderr.match(/measured_at is missing/g)).toHaveLength(20);
    expect(stderr).toContain("  - and 10 more\n");
  });

  test("--skip-invalid sends the others, and what the service refuses is named too", async () => {
    const old = `wrong,unit_coverage,${daysAgo(500)},40,`;
    const result = await backfill(["--skip-invalid", "past.csv"], { "past.csv": `${wrong}\n${old}` });
    expect(result).toMatchObject({ code: 2, stdout: expect.stringContaining("1 result stored") });
    expect(result.stderr).toContain("line 11: measured_at must be within the days of the history");
    expect(await history("wrong")).toEqual([[at(older), null, 50]]);
  });

  test("that the service refuses stops, and says where to go on", async () => {
    const row = (metric: string, time: string) => `shop,checkout,stops,prod,${metric},${time},50`;
    const many = Array.from({ length: 1_000 }, () => row("application,unit_coverage", oldest));
    const header = "area,team,app,env,scorecard,metric,measured_at,raw.coverage_pct";
    const text = [header, ...many, row("cost,budget", newest)].join("\n");
    const { code, stderr } = await backfill(["past.csv"], { "past.csv": text });
    expect(code).toBe(3);
    expect(stderr).toContain(
      `warning: 1,000 of 1,001 results are stored; the same call with --since ${newest} goes on`,
    );
    expect(stderr).toContain("line 1002: scorecard");
  });
});

test("a directory of reports: each at the time that it states, by one call", async () => {
  const scanned = (CreatedAt: string | undefined, found: readonly string[]) =>
    JSON.stringify({
      SchemaVersion: 2,
      ...{ CreatedAt, ArtifactName: "cart:1", ArtifactType: "container_image" },
      Results: [
        {
          ...{ Target: "cart:1 (alpine 3.20)", Class: "os-pkgs", Type: "alpine" },
          Vulnerabilities: found.map((Severity) => ({
            ...{ VulnerabilityID: "CVE-2026-1", PkgName: "musl", InstalledVersion: "1", Severity },
          })),
        },
      ],
    });
  const [before, after] = [daysAgo(9), daysAgo(3)];
  const files = { "kept/1.json": scanned(after, []), "kept/2.json": scanned(before, ["CRITICAL"]) };
  expect(await backfill(["kept"], files, "reports")).toMatchObject({ code: 0 });
  expect(await history("reports", "image_scan")).toEqual([
    [at(before), null, 50],
    [at(after), 50, 100],
  ]);
  const undated = { ...files, "kept/3.json": scanned(undefined, []), "kept/lcov.info": lcov("a.ts", 1) };
  const refused = await backfill(["kept"], undated, "undated");
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("kept/3.json: does not state when its tool ran; maturity submit --measured-at"),
  });
  expect((await service.rows("scores")).filter(({ app }) => app === "undated")).toEqual([]);
});

test.each([
  [["--since", "then", "-"], "--since must be a time with its zone"],
  [["--metric", "a", "--metric", "b", "-"], "of a table --metric names one metric"],
  [["--exclude", "x", "-"], "are for a directory of reports"],
  [["nowhere.csv"], "nowhere.csv cannot be read: there is no such file"],
  [["-"], "- holds no result, so there is nothing to send"],
])("%j is refused", async (argv, message) => {
  const { code, stderr } = await backfill(argv);
  expect([2, 5]).toContain(code);
  expect(stderr).toContain(message);
});
