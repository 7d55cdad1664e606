import { describe, expect, test } from "vitest";
import { engines } from "./support/service.ts";
import {
  change,
  collect,
  importRows,
  lines,
  problem,
  rollUpDay,
  score,
  useServiceOn,
  waiver,
} from "./support/transfer.ts";

/** The time in so many seconds, as an export writes it. */
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

describe.each(engines)("an import on %s", (kind) => {
  const { raw: _, ...withoutRaw } = score;
  const { opened_at: __, ...unopened } = problem;
  const named = { area: "shop", team: "checkout", app: "cart" };
  const refused: Readonly<Record<string, readonly [row: object | string, message: RegExp]>> = {
    "no JSON": ['{"table":', /is not a JSON object/],
    "an empty line": ["", /is not a JSON object/],
    "a list": ["[]", /is not a JSON object/],
    __proto__: ['{"table":"scores","__proto__":{}}', /is not a JSON object/],
    "no table": [
      { ...score, table: undefined },
      /table must be "apps", "retired_envs", "former_names", .* "campaign_members" or "campaign_days"/,
    ],
    "an unknown table": [
      { ...score, table: "tokens" },
      /table must be "apps", "retired_envs", "former_names", .* "campaign_members" or "campaign_days"/,
    ],
    "a table of every object": [{ ...score, table: "constructor" }, /table must be/],
    "an unknown field": [{ ...score, colour: 1 }, /colour is not a field/],
    "a field of the other table": [{ ...score, count: 1 }, /count is not a field/],
    "labels of its own": [{ ...score, labels: '{area="forged"}' }, /labels is not a field/],
    "a key of its own": [{ ...problem, key: "x" }, /key is not a field/],
    "a missing field": [withoutRaw, /raw is required/],
    "a missing time": [{ ...problem, reported_at: undefined }, /reported_at is required/],
    "a name with a line feed": [{ ...score, metric: 'x"} 1\nforged' }, /metric must be a text of 1 to 200/],
    "a name with NUL": [{ ...problem, area: "\0" }, /area must be a text/],
    "a score as text": [{ ...score, score: "5" }, /score must be a number/],
    "a score above 100": [{ ...score, score: 100.01 }, /score must be less than or equal to 100/],
    "a score of three decimals": [{ ...score, score: 1.005 }, /score must have no more than 2 decimal places/],
    "a score that is no number": [JSON.stringify(score).replace("62.51", "NaN"), /is not a JSON object/],
    "raw with NUL": [{ ...score, raw: { a: ["\0"] } }, /raw\.a\[0\] must not hold NUL/],
    "raw with too large a number": [JSON.stringify(score).replace(":5", ":1e400"), /raw\.medium is too large/],
    "an unknown severity": [{ ...problem, severity: "worst" }, /severity must be one of/],
    "a count below 0": [{ ...problem, count: -1 }, /count must be greater than or equal to 0/],
    "more details than findings": [
      { ...problem, details: [{ file: "a" }, { file: "b" }] },
      /details must have at most/,
    ],
    "an unknown field of a detail": [{ ...problem, details: [{ file: "a", x: 1 }] }, /details\[0\]\.x is not a field/],
    "a report in the future": [
      { ...score, reported_at: inSeconds(3_600) },
      /reported_at is more than 10 s ahead of the/,
    ],
    "a report of the year 2999": [{ ...score, reported_at: "2999-12-31T23:59:59Z" }, /reported_at is more than 10 s/],
    "an opening in the future": [
      { ...problem, opened_at: inSeconds(3_600) },
      /opened_at is more than 10 s ahead of the/,
    ],
    "a change in the future": [{ ...change, at: inSeconds(3_600) }, /^line 602: at is more than 10 s ahead of the/],
    "a change without its time": [{ ...change, at: undefined }, /at is required/],
    "a change by nobody knows what": [
      { ...change, cause: "weather" },
      /cause must be one of \[report, backfill, rules, move\]/,
    ],
    "a change from above 100": [{ ...change, former: 101 }, /former must be less than or equal to 100/],
    "a change with raw": [{ ...change, raw: {} }, /raw is not a field/],
    "a last change without its cause": [{ ...score, changed_by: undefined }, /changed_by is required/],
    "a last change without its time": [{ ...score, changed_at: undefined }, /changed_at is required/],
    "a last change after the report": [
      { ...score, changed_at: "2026-01-31T12:00:00.123457Z" },
      /changed_at must not be later than reported_at/,
    ],
    "a day that is none": [{ ...rollUpDay, day: "2026-02-30" }, /day must be a day such as 2026-01-31/],
    "a time for a day": [{ ...rollUpDay, day: "2026-01-31T00:00:00Z" }, /day must be a day/],
    "a day in the future": [{ ...rollUpDay, day: "2999-01-01" }, /day is more than 10 s ahead of the/],
    "an application of no team": [{ ...rollUpDay, team: undefined }, /team is required/],
    "a share above 1": [{ ...rollUpDay, reported: 1.01 }, /reported must be less than or equal to 1/],
    "an average of nothing": [{ ...rollUpDay, count: 0 }, /count must be greater than or equal to 1/],
    "a registered application without its labels": [
      { table: "apps", ...named, registered_at: "2026-01-31T12:00:00Z" },
      /contains \[registered_at\] without its required peers \[labels\]/,
    ],
    "a label that is no text": [
      { table: "apps", ...named, registered_at: "2026-01-31T12:00:00Z", labels: { a: 1 } },
      /labels.a must be a text/,
    ],
    "a former name of another depth": [
      { table: "former_names", ...named, to_area: "shop", to_team: "till", moved_at: "2026-01-31T12:00:00Z" },
      /must have the same depth/,
    ],
    "a former name that is none": [
      {
        ...{ table: "former_names", ...named, moved_at: "2026-01-31T12:00:00Z" },
        ...{ to_area: named.area, to_team: named.team, to_app: named.app },
      },
      /must differ/,
    ],
    "a move in the future": [
      { table: "former_names", area: "shop", to_area: "store", moved_at: inSeconds(3_600) },
      /moved_at is more than 10 s ahead of the/,
    ],
    "a retirement without its reason": [
      { table: "apps", ...named, retired_at: "2026-01-31T12:00:00Z" },
      /contains \[retired_at\] without its required peers \[reason\]/,
    ],
    "an application that is neither registered nor retired": [
      { table: "apps", ...named },
      /registered_at, held_since, retired_at/,
    ],
    "a retired environment of nothing": [
      { table: "retired_envs", ...named, retired_at: "2026-01-31T12:00:00Z", reason: "closed" },
      /env is required/,
    ],
    "a waiver that is accepted without end": [
      { ...waiver, kind: "accepted" },
      /expires_at is required with the kind accepted/,
    ],
    "a waiver that is accepted for a thousand years": [
      { ...waiver, kind: "accepted", expires_at: "2999-01-01T00:00:00Z" },
      /expires_at with the kind accepted must be at most 366 days after requested_at/,
    ],
    "a waiver that was over when it was made": [
      { ...waiver, expires_at: "2026-01-31T12:00:00Z" },
      /expires_at must be later than requested_at/,
    ],
    "a waiver that was revoked before it was made": [
      { ...waiver, revoked_at: "2026-01-31T11:00:00Z", revoked_by: "ann" },
      /revoked_at must not be earlier than decided_at/,
    ],
    "a waiver that was decided before it was asked for": [
      { ...waiver, decided_at: "2026-01-31T11:00:00Z" },
      /decided_at must not be earlier than requested_at/,
    ],
    "a waiver that was approved after its end": [
      { ...waiver, decided_at: "2026-02-02T12:00:00Z", expires_at: "2026-02-01T12:00:00Z" },
      /expires_at must be later than decided_at, when it was approved/,
    ],
    "a rejected waiver that was revoked": [
      { ...waiver, decision: "rejected", revoked_at: "2026-01-31T13:00:00Z", revoked_by: "ann" },
      /revoked_at is for approved waivers alone/,
    ],
    "a decision of nobody": [
      { ...waiver, decided_by: undefined },
      /\[decision, decided_at\] without its required peers \[decided_by\]/,
    ],
    "another decision": [{ ...waiver, decision: "granted" }, /decision must be one of/],
    "a comment without a decision": [
      { ...waiver, decision: undefined, decided_at: undefined, decided_by: undefined, comment: "none" },
      /comment/,
    ],
    "evidence that is no address": [{ ...waiver, evidence: "ticket 12" }, /evidence must be a URL/],
    "a waiver in force of a scorecard that is not installed": [
      { ...waiver, scorecard: "cost" },
      /there is no scorecard named "cost"; installed: security, reliability, application; name its package in SCORECARDS/,
    ],
    "a waiver in force of a metric that is not installed": [
      { ...waiver, metric: "luck", expires_at: inSeconds(3_600) },
      /there is no metric of security named "luck"; installed: .*sast/,
    ],
    "a waiver of a metric of another scorecard": [
      { ...waiver, metric: "mttr" },
      /there is no metric of security named "mttr"/,
    ],
    "an open problem without its opening": [unopened, /opened_at is required while count is above 0/],
    "a resolved problem with an opening": [{ ...problem, count: 0, details: [] }, /opened_at is required while/],
    ...Object.fromEntries(
      [
        "2026-02-30T00:00:00Z",
        "2026-01-31",
        "2026-01-31T12:00:00+01:00",
        "2026-01-31T24:00:00Z",
        "now",
        "infinity",
        1,
      ].map(
        (reported_at) => [`the time ${reported_at}`, [{ ...score, reported_at }, /reported_at must be a t/]] as const,
      ),
    ),
  };

  test("refuses each wrong row with its line, and then stores nothing at all", async () => {
    const { database } = await useServiceOn(kind);
    await importRows(database, lines({ ...score, area: "before" }));
    const before = await collect(database);
    for (const [name, [row, message]] of Object.entries(refused)) {
      const good = Array.from({ length: 600 }, (_, index) => ({ ...score, app: `${index}` }));
      const failure = await importRows(database, lines(...good, problem, row, score)).catch((error) => error);
      expect.soft(failure, name).toMatchObject({ name: "ImportError", message: expect.stringMatching(message) });
      expect.soft(failure.message, name).toMatch(/^line 602: .*; nothing was imported$/);
      expect.soft(await collect(database), name).toEqual(before);
    }
  });
});
