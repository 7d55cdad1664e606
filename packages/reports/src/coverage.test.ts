import { expect, test } from "vitest";
import { mergeCoverage } from "./coverage.ts";
import { ReportError } from "./errors.ts";
import { readReport } from "./read-report.ts";

const added = (some: number, all: number) =>
  `${some} of ${all} reports do not say which lines are covered: they are added up, so what two of them cover counts twice`;
const united = (files: number) => `files of the same name and the same lines in several reports count once: ${files}`;
const separated = (names: number) =>
  `names that stand for different lines in several reports count as several files: ${names}`;
const mixed = "lines and statements are added up";

const lcov = (file: string, ...hits: number[]) =>
  `SF:${file}\n${hits.map((count, index) => `DA:${index + 1},${count}\n`).join("")}end_of_record\n`;
const xmlLines = (number: string, hits: string, counts: number[]) =>
  counts.map((count, index) => `<line ${number}="${index + 1}" type="stmt" ${hits}="${count}"/>`).join("");
const cobertura = (file: string, stated: [covered: number, valid: number], ...hits: number[]) =>
  `<coverage lines-covered="${stated[0]}" lines-valid="${stated[1]}"><packages><package name="a"><classes>
<class name="a" filename="${file}"><lines>${xmlLines("number", "hits", hits)}</lines></class></classes></package></packages></coverage>`;
const clover = (file: string, stated: [covered: number, all: number], ...hits: number[]) =>
  `<coverage generated="1"><project><file name="${file}">${xmlLines("num", "count", hits)}</file>
<metrics statements="${stated[1]}" coveredstatements="${stated[0]}"/></project></coverage>`;
const jacoco = (file: string, stated: [covered: number, all: number], ...instructions: number[]) =>
  `<report name="a"><package name="a"><sourcefile name="${file}">${xmlLines("nr", "ci", instructions)}</sourcefile></package>
<counter type="LINE" covered="${stated[0]}" missed="${stated[1] - stated[0]}"/></report>`;
const go = (...blocks: string[]) => `mode: set\n${blocks.join("\n")}\n`;
const istanbul = (covered: number, total: number) =>
  JSON.stringify({ total: { lines: { covered, total, pct: (100 * covered) / total } } });

interface Case {
  readonly reports: readonly string[];
  readonly covered: number;
  readonly total: number;
  readonly notes?: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  "a line is covered if any part of the run covers it": {
    reports: [lcov("a.c", 1, 0, 0), lcov("a.c", 0, 5, 0)],
    covered: 2,
    total: 3,
    notes: [united(1)],
  },
  "files of one part only": {
    reports: [lcov("a.c", 1, 0), lcov("b.c", 1, 1)],
    covered: 3,
    total: 4,
  },
  "two files of one relative name, such as of two packages": {
    reports: [lcov("src/a.c", 1, 0), lcov("src/a.c", 1), lcov("src/a.c", 0, 1), lcov("src/b.c", 1)],
    covered: 4,
    total: 4,
    notes: [united(1), separated(1)],
  },
  "an absolute name is one file, whichever lines a part of the run has": {
    reports: [lcov("/usr/include/a.h", 1, 0), lcov("/usr/include/a.h", 1, 0, 1)],
    covered: 2,
    total: 3,
  },
  "Cobertura of two packages": {
    reports: [
      cobertura("a.py", [1, 2], 1, 0).replace("<packages>", "<sources><source>/repo/packages/a</source></sources>$&"),
      cobertura("a.py", [1, 2], 0, 1).replace("<packages>", "<sources><source>/repo/packages/b/</source></sources>$&"),
    ],
    covered: 2,
    total: 4,
  },
  "Cobertura of two checkouts": {
    reports: [
      cobertura("a.py", [1, 2], 1, 0).replace("<packages>", "<sources><source>/builds/1/shop</source></sources>$&"),
      cobertura("a.py", [1, 2], 0, 1).replace("<packages>", "<sources><source>C:\\2\\shop</source></sources>$&"),
    ],
    covered: 2,
    total: 2,
    notes: [united(1)],
  },
  "one report stays as it is": { reports: [cobertura("a.py", [30, 40], 1, 1, 1, 0)], covered: 30, total: 40 },
  "Cobertura by its lines, even where its totals differ from them": {
    reports: [cobertura("a.cs", [14, 40], 1, 0, 0), cobertura("a.cs", [13, 40], 0, 1, 0)],
    covered: 2,
    total: 3,
    notes: [united(1)],
  },
  "Clover by its lines where they are its statements": {
    reports: [clover("a.php", [1, 2], 1, 0), clover("a.php", [1, 2], 0, 1)],
    covered: 2,
    total: 2,
    notes: [united(1)],
  },
  "Clover of Istanbul lists lines but counts statements": {
    reports: [clover("a.js", [3, 4], 1, 0), clover("a.js", [2, 4], 0, 1)],
    covered: 5,
    total: 8,
    notes: [added(2, 2)],
  },
  "JaCoCo by the lines of its source files": {
    reports: [jacoco("A.java", [1, 2], 4, 0), jacoco("A.java", [1, 2], 0, 4)],
    covered: 2,
    total: 2,
    notes: [united(1)],
  },
  "JaCoCo without source files": {
    reports: [jacoco("A.java", [1, 2]), jacoco("A.java", [1, 2])],
    covered: 2,
    total: 4,
    notes: [added(2, 2)],
  },
  "Go by its blocks": {
    reports: [
      go("a.go:1.1,2.2 3 1", "a.go:3.1,4.2 2 0"),
      go("a.go:1.1,2.2 3 0", "a.go:3.1,4.2 2 0", "b.go:1.1,2.2 1 1"),
    ],
    covered: 4,
    total: 6,
  },
  "summaries of Istanbul": { reports: [istanbul(1, 2), istanbul(3, 8)], covered: 4, total: 10, notes: [added(2, 2)] },
  "records of LCOV without lines": {
    reports: [lcov("a.c", 1, 0), "SF:a.c\nLF:2\nLH:1\nend_of_record\n"],
    covered: 2,
    total: 4,
    notes: [added(1, 2)],
  },
  "two formats over one source": {
    reports: [lcov("a.py", 1, 0, 0), cobertura("a.py", [1, 3], 0, 1, 0)],
    covered: 2,
    total: 3,
    notes: [united(1)],
  },
  "two languages": {
    reports: [lcov("a.ts", 1, 0), go("a.go:1.1,2.2 3 1")],
    covered: 4,
    total: 5,
    notes: [mixed],
  },
};

test.each(Object.entries(cases))("%s", (_, { reports, covered, total, notes = [] }) => {
  const { coverage, notes: given } = mergeCoverage(reports.map(coverageOf));
  expect({ covered: coverage.covered, total: coverage.total, notes: given }).toEqual({ covered, total, notes });
});

test.each<[format: string, report: string]>([
  ["lcov", lcov("caf\xe9.c", 1, 1) + lcov("caf\xe8.c", 0, 0)],
  ["Go", go("caf\xe9.go:1.1,2.2 1 1", "caf\xe8.go:1.1,2.2 1 0")],
])("files whose names differ in a byte that is no UTF-8 count apart: %s", (_, report) => {
  const { coverage } = readReport(Buffer.from(report, "latin1"), { metric: "unit_coverage" });
  expect(coverage && (100 * coverage.covered) / coverage.total).toBe(50);
});

test("what was merged can be merged again", () => {
  const [first, second, third] = [lcov("a.c", 1, 0, 0), lcov("a.c", 0, 1, 0), lcov("a.c", 1, 1, 0)].map(coverageOf);
  if (!first || !second || !third) throw new Error("three reports");
  const { coverage } = mergeCoverage([mergeCoverage([first, second]).coverage, third]);
  expect(coverage).toMatchObject({ unit: "lines", covered: 2, total: 3 });
});

test("reports are not changed by being merged", () => {
  const [first, second] = [lcov("a.c", 1, 0), lcov("a.c", 0, 1)].map(coverageOf);
  if (!first || !second) throw new Error("two reports");
  mergeCoverage([first, second]);
  expect(first.places?.count()).toEqual({ covered: 1, total: 2 });
});

test("reports of two versions of the source are refused", () => {
  const reports = [go("a.go:1.1,2.2 3 1"), go("a.go:1.1,2.2 4 1")].map(coverageOf);
  expect(() => mergeCoverage(reports)).toThrow(ReportError);
});

function coverageOf(report: string) {
  const { coverage } = readReport(report);
  if (!coverage) throw new Error("a report without coverage");
  return coverage;
}
