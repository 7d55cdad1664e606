import { ReportError, unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { loadOf, type Measured, noChecks } from "../load.ts";
import { countAt, type Fields, isObject, numberAt, objectAt } from "../shape.ts";
import { singleRecord } from "../single-record.ts";

/**
 * The JSON of `artillery run --output`, versions 1 and 2. A request failed if it got no response, or one with status
 * 4xx or 5xx. The errors that Artillery counts itself are not used, because they include errors of the script, and
 * there can be more of them than requests.
 */
export const artillery: Format = {
  name: "artillery",
  title: "Artillery JSON",
  words: ["aggregate", "intermediate", "summaries", "counters", "scenariosCreated", "http.requests", "latency"],
  time: { fields: ["aggregate.lastMetricAt", "aggregate.timestamp"] },
  metrics: ["stress_test"],
  metric: "stress_test",

  // The least after a run is one request in the counters. A run without any gives no score.
  looksLike({ head: [record] }) {
    const aggregate = isObject(record) ? record.aggregate : undefined;
    return isObject(aggregate) && ["counters", "requestsCompleted", "scenariosCreated"].some((key) => key in aggregate);
  },

  read(document): Facts {
    const aggregate = objectAt(singleRecord(document).aggregate, "aggregate");
    // `counters` does not distinguish the versions, because version 1 has it too, but empty.
    const measured = "requestsCompleted" in aggregate ? measuredByVersion1(aggregate) : measuredByVersion2(aggregate);
    const errors = scriptErrorsIn(aggregate);
    return {
      load: loadOf(measured),
      tool: "Artillery",
      warnings: errors > 0 ? [`${errors} errors of the script are not counted: a part of the test did not run`] : [],
      notes: [noChecks("the report")],
    };
  },
};

function measuredByVersion1({ requestsCompleted, errors, codes, latency }: Fields): Measured {
  const completed = countAt(requestsCompleted, "aggregate.requestsCompleted");
  const unanswered = sumOf(objectAt(errors, "aggregate.errors"), "aggregate.errors");
  const refused = refusedOf(objectAt(codes, "aggregate.codes"), completed, "aggregate.codes");
  const requests = completed + unanswered;
  return { requests, error_rate: (unanswered + refused) / requests, p95_ms: p95Of(latency) };
}

function measuredByVersion2({ counters, summaries }: Fields): Measured {
  const counts = objectAt(counters, "aggregate.counters");
  const prefix = prefixOf(counts);
  if (prefix === undefined) {
    throw new ReportError("nothing-measured", "measured no HTTP requests: it has no counter http.requests");
  }
  const requests = countAt(counts[`${prefix}requests`], `${prefix}requests`);
  const responses = countAt(counts[`${prefix}responses`] ?? 0, `${prefix}responses`);
  const refused = refusedOf(codesOf(counts, prefix), responses, `${prefix}codes`);
  return {
    requests,
    error_rate: (requests - responses + refused) / requests,
    p95_ms: p95Of(isObject(summaries) ? summaries[`${prefix}response_time`] : undefined),
  };
}

/** What the names of the counters of requests begin with: the second until the first releases of version 2. */
const prefixes = ["http.", "engine.http."];

function prefixOf(counts: Fields): string | undefined {
  return prefixes.find((prefix) => counts[`${prefix}requests`] !== undefined);
}

/** The numbers of responses by their status codes. */
function codesOf(counts: Fields, prefix: string): Fields {
  const start = `${prefix}codes.`;
  const codes = Object.entries(counts).filter(([name]) => name.startsWith(start));
  return Object.fromEntries(codes.map(([name, count]) => [name.slice(start.length), count]));
}

/**
 * Number of errors of the script, such as a missing function. Version 1 does not distinguish them from requests without an
 * answer.
 */
function scriptErrorsIn({ counters }: Fields): number {
  const counts = isObject(counters) ? counters : {};
  const prefix = prefixOf(counts) ?? "";
  const unanswered = Number(counts[`${prefix}requests`] ?? 0) - Number(counts[`${prefix}responses`] ?? 0);
  return Math.max(0, sumOf(counts, "aggregate.counters", /^errors\./) - unanswered);
}

/**
 * How many responses were errors.
 *
 * @throws ReportError if there are more status codes than responses
 */
function refusedOf(codes: Fields, responses: number, path: string): number {
  const answered = sumOf(codes, path);
  if (answered > responses) {
    throw unreadable(`${path} contradicts the number of responses: it has ${answered} of ${responses}`);
  }
  return sumOf(codes, path, /^[45]\d\d$/);
}

/** The sum of the counts whose names match. */
function sumOf(counts: Fields, path: string, names = /^/): number {
  let sum = 0;
  for (const [name, count] of Object.entries(counts)) {
    if (names.test(name)) sum += countAt(count, `an entry of ${path}`);
  }
  return sum;
}

/** The 95th percentile. Undefined if no request was answered. */
function p95Of(times: unknown): number | undefined {
  const p95 = isObject(times) ? (times.p95 ?? undefined) : undefined;
  return p95 === undefined ? undefined : numberAt(p95, "p95 of the response times");
}
