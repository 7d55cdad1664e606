import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { oneOfEach } from "../test/support/one-of-each.ts";
import { decode } from "./decode.ts";
import { Document } from "./document.ts";
import { type FindingKind, findingKinds, formats, type ReadOptions, ReportError, readReport } from "./index.ts";

/** Every report read for everything, as every format: it is refused, or read as what it is. */

const cases = Object.entries(oneOfEach).flatMap(([format, reports]) =>
  Object.entries(reports).map(([name, report]) => ({
    name: `${format}: ${name}`,
    format,
    text: typeof report === "string" ? report : JSON.stringify(report),
  })),
);

const metrics = [...new Set(formats.flatMap((format) => format.metrics))];

test("every format is tried", () => {
  expect(Object.keys(oneOfEach).sort()).toEqual(formats.map(({ name }) => name).sort());
  for (const { name } of formats) {
    const isRead = ({ format, text }: (typeof cases)[number]) =>
      format === name && !(outcomeOf(text, {}) instanceof ReportError);
    expect(cases.some(isRead), name).toBe(true);
  }
});

/** What comes of a report; an error other than ours is a fault. */
function outcomeOf(report: Uint8Array | string, options: ReadOptions) {
  try {
    return readReport(report, options);
  } catch (error) {
    if (error instanceof ReportError) return error;
    throw error;
  }
}

describe.each(cases)("$name", ({ format, text }) => {
  const itself = outcomeOf(text, {});
  const own = itself instanceof ReportError ? undefined : itself;

  test("as every other format it is refused", () => {
    for (const { name } of formats.filter((other) => other.name !== format)) {
      for (const use of [{}, { for: "problem" }, { assumeScanned: true }] as const) {
        expect(outcomeOf(text, { format: name, ...use }), name).toBeInstanceOf(ReportError);
      }
    }
  });

  test("for every metric it is refused, or gives what it has measured", () => {
    const definition = formats.find(({ name }) => name === format);
    for (const metric of metrics) {
      const outcome = outcomeOf(text, { metric });
      if (outcome instanceof ReportError) {
        expect(own?.metrics[metric]).toBeUndefined();
        expect(["nothing-measured", "wrong-metric"]).toContain(outcome.code);
        continue;
      }
      expect(outcome).toMatchObject({ format, metric, evidence: expect.any(String) });
      expect(definition?.metrics).toContain(metric);
      if (own) expect(outcome.metrics).toEqual(own.metrics);
    }
  });

  test("of every metric that counts findings it gives them in one shape", () => {
    const counting = ["image_scan", "sast", "dast", "secret_scan"] as const;
    for (const metric of counting) {
      const found = own?.findings[metric];
      expect(found === undefined).toBe(own?.metrics[metric] === undefined);
      if (!found) continue;
      expect(Object.keys(found)).toEqual(["count", "severities", "details"]);
      expect(Object.keys(found.severities)).toEqual(["critical", "high", "medium", "low", "info", "unknown"]);
      expect(found.count).toBe(Object.values(found.severities).reduce((sum, count) => sum + count));
      expect([0, found.count]).toContain(found.details.length);
      const { critical, high } = found.severities;
      const scored = { image_scan: { critical }, sast: { critical }, dast: { high: critical + high } };
      expect(own?.metrics[metric]).toMatchObject({ ...scored, secret_scan: { count: found.count } }[metric]);
    }
    expect(counting).toEqual(expect.arrayContaining(Object.keys(own?.findings ?? {})));
  });

  test("for every kind of findings it is refused, or gives those that it has", () => {
    for (const kind of findingKinds) {
      const outcome = outcomeOf(text, { for: "problem", kind });
      if (outcome instanceof ReportError) expect(own?.problems[kind]).toBeUndefined();
      else
        expect(outcome).toMatchObject({ format, kind, problem: outcome.problems[kind], evidence: expect.any(String) });
    }
  });

  test("on the caller's word nothing that it holds is lost", () => {
    const asked: ReadOptions[] = [
      ...metrics.map((metric) => ({ metric })),
      ...findingKinds.map((kind: FindingKind) => ({ for: "problem" as const, kind })),
    ];
    for (const options of asked) {
      const outcome = outcomeOf(text, { ...options, assumeScanned: true });
      const shown = outcomeOf(text, options);
      if (outcome instanceof ReportError) expect(shown).toBeInstanceOf(ReportError);
      else if (!(shown instanceof ReportError)) expect(outcome).toEqual(shown);
      else expect(outcome).toMatchObject({ assumed: { scanned: true }, held: own?.held ?? outcome.held });
    }
  });
});

test("silence, by any name, scores nothing and resolves nothing without the name of its tool", () => {
  for (const silence of [
    "",
    "\n",
    "{}",
    "[{}]",
    "null",
    "[]",
    '{"results":[]}',
    '{"results":null}',
    '{"vulnerabilities":[]}',
  ]) {
    for (const metric of metrics.filter((each) => each !== "secret_scan")) {
      expect(outcomeOf(silence, { metric, assumeScanned: true }), silence).toBeInstanceOf(ReportError);
    }
    for (const kind of [undefined, "vulnerabilities", "misconfigurations", "findings"] as const) {
      const asked = { for: "problem", assumeScanned: true, ...(kind && { kind }) } as const;
      expect(outcomeOf(silence, asked), silence).toBeInstanceOf(ReportError);
    }
  }
});

const samples = new URL("../../../../shared/samples/dev/", import.meta.url);

describe.skipIf(!existsSync(samples))("reports that real tools wrote", () => {
  const paths = existsSync(samples)
    ? Object.keys(JSON.parse(readFileSync(new URL("expected-2.json", samples), "utf8")).files)
    : [];

  test.each(paths)("%s looks like one format at the most, and is read as that for every metric", (path) => {
    const bytes = readFileSync(new URL(path, samples));
    const document = new Document(decode(bytes));
    const [own, ...others] = document.empty ? [] : formats.filter((format) => format.looksLike(document));
    expect(others.map(({ name }) => name)).toEqual([]);
    if (bytes.length > 300_000) return;
    for (const metric of metrics) {
      const outcome = outcomeOf(bytes, { metric });
      if (!(outcome instanceof ReportError)) {
        expect(outcome.format).toBe(own?.name ?? "gitleaks");
        expect(outcome.metrics[metric]).toBeDefined();
      }
    }
  });
});
