import { counted, filled, type HostileShapes, longName } from "./shape.ts";

export const hostileCoverage: HostileShapes = {
  "cobertura: a long name": ["nothing-measured", longName('<coverage line-rate="1">', "</coverage>")],
  "cobertura: lines in a long name": [
    "read",
    longName(
      '<coverage line-rate="1"><class filename="a"/>',
      "</coverage>",
      '<class filename="a"><lines><line number="1" hits="1"/></lines></class>',
    ),
  ],
  "cobertura: many files": [
    "read",
    counted(
      '<coverage line-rate="1">',
      (n) => `<class filename="${n}"><lines><line number="${n * 1_000}" hits="1"/></lines></class>`,
      "</coverage>",
    ),
  ],
  "clover: a long name": [
    "unreadable-report",
    longName('<coverage generated="1"><project>', "</project></coverage>", "<file><line/></file>"),
  ],
  "clover: many files": [
    "unreadable-report",
    counted(
      '<coverage generated="1"><project><metrics statements="1" coveredstatements="1"/>',
      (n) => `<file name="${n}"><line num="${n}" type="stmt" count="1"/></file>`,
      "</project></coverage>",
    ),
  ],
  "jacoco: a long name": ["nothing-measured", longName("<report><package>", "</package></report>", "<sourcefile/>")],
  "jacoco: as deep as may be": [
    "unreadable-report",
    filled("<report><counter/>", "<a>".repeat(98) + "</a>".repeat(98), "</report>"),
  ],
  "jacoco: many packages": [
    "unreadable-report",
    counted(
      '<report name="a"><counter type="LINE" missed="0" covered="1"/>',
      (n) => `<package name="${n}"><sourcefile name="${n}"><line nr="${n}" ci="1" mi="0"/></sourcefile></package>`,
      "</report>",
    ),
  ],
  "opencover: a long name": ["nothing-measured", longName("<CoverageSession>", "</CoverageSession>")],
  "opencover: many points": [
    "unreadable-report",
    counted(
      '<CoverageSession><Summary numSequencePoints="1" visitedSequencePoints="1"/><Modules><Module><Classes><Class><Methods><Method><SequencePoints>',
      (n) => `<SequencePoint sl="${n}" vc="1"/>`,
      "</SequencePoints></Method></Methods></Class></Classes></Module></Modules></CoverageSession>",
    ),
  ],
  "lcov: many files": ["read", counted("", (n) => `SF:${n}\nDA:${n * 1_000},1\nend_of_record\n`)],
  "lcov: a long name of a file": ["unreadable-report", filled("SF:", "a/")],
  "lcov: many totals": ["read", counted("", (n) => `SF:${n}\nLF:1\nLH:1\nend_of_record\n`)],
  "lcov: comments": ["unknown-format", filled("#\n", "#\n")],
  "lcov: no record": ["nothing-measured", filled("TN:\n", "TN:\n")],
  "go-cover: colons": ["read", filled("mode: set\n", "a:1.1,1.1 1 ", ":1.1,2.2 1 1")],
  "go-cover: many files": ["read", counted("mode: set\n", (n) => `${n}:1.1,2.2 1 1\n`)],
  "go-cover: one block": ["read", filled("mode: set\n", "a:1.1,2.2 1 1\n")],
  "istanbul-final: one file": [
    "read",
    counted(
      '{"a":{"path":"a","statementMap":{"0":{"start":{"line":1}}',
      (n) => `,"${n}":{"start":{"line":${n * 1_000}}}`,
      '},"s":{"0":1}}}',
    ),
  ],
  "istanbul-final: many files": [
    "read",
    counted(
      '{"a":{"statementMap":{"0":{"start":{"line":1}}},"s":{"0":1}}',
      (n) => `,"${n}":{"statementMap":{"0":{"start":{"line":${n * 1_000}}}},"s":{"0":0}}`,
      "}",
    ),
  ],
  "istanbul-summary: many files": [
    "read",
    counted('{"total":{"lines":{"total":1,"covered":1,"pct":100}}', (n) => `,"${n}":{}`, "}"),
  ],
  "simplecov: lines": ["read", filled('{"RSpec":{"timestamp":1,"coverage":{"a":[1', ",null,0", "]}}}")],
  "simplecov: many files": [
    "read",
    counted('{"RSpec":{"timestamp":1,"coverage":{"a":[1]', (n) => `,"${n}":[0]`, "}}}"),
  ],
  "simplecov: many commands": [
    "read",
    counted('{"0":{"coverage":{"a":[1]}}', (n) => `,"${n}":{"coverage":{"a":[0]}}`, "}"),
  ],
  "llvm-cov: many files": [
    "unreadable-report",
    counted(
      '{"type":"llvm.coverage.json.export","data":[{"totals":{"lines":{"count":1,"covered":1}},"files":[{"filename":"a","summary":{"lines":{"count":1,"covered":1}}}',
      (n) => `,{"filename":"${n}","summary":{"lines":{"count":1,"covered":1}}}`,
      "]}]}",
    ),
  ],
  "llvm-cov: many entries": [
    "read",
    counted(
      '{"type":"llvm.coverage.json.export","data":[{"files":[{"filename":"a","summary":{"lines":{"count":1,"covered":1}}}]}',
      (n) => `,{"files":[{"filename":"${n}","summary":{"lines":{"count":1,"covered":1}}}]}`,
      "]}",
    ),
  ],
  "coveragepy: many files": [
    "read",
    counted(
      '{"meta":{"version":"7","branch_coverage":false},"totals":{"covered_lines":1,"num_statements":1},"files":{"a":{"executed_lines":[1]}',
      (n) => `,"${n}":{"executed_lines":[${n * 1_000}]}`,
      "}}",
    ),
  ],
  "coveragepy: lines": [
    "read",
    filled(
      '{"meta":{"version":"7","branch_coverage":false},"totals":{"covered_lines":1,"num_statements":1},"files":{"a":{"executed_lines":[1',
      ",1",
      "]}}}",
    ),
  ],
};
