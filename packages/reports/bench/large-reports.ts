import { execFileSync } from "node:child_process";
import { readReport } from "@maturity/reports";
import { description, type Kind, member, numbers } from "./kind.ts";
import { scanners } from "./scanners.ts";

/** How long the largest kinds of report take to read, and how much memory: 100 MB each, every one in its own process. */

const size = 100_000_000;

const kinds: Readonly<Record<string, Kind>> = {
  Trivy: {
    begin: '{"SchemaVersion":2,"ArtifactName":"shop","Results":[{"Target":"shop","Vulnerabilities":[',
    piece: (n) =>
      member(n, {
        VulnerabilityID: `CVE-2026-${n}`,
        PkgName: "openssl",
        InstalledVersion: "3.0.1",
        Severity: "HIGH",
        Description: description,
        References: ["https://nvd.example/1", "https://nvd.example/2"],
      }),
    end: "]}]}",
  },
  SARIF: {
    begin: '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Lint","rules":[]}},"results":[',
    piece: (n) =>
      member(n, {
        ruleId: `rule-${n % 300}`,
        level: "error",
        message: { text: description },
        locations: [{ physicalLocation: { artifactLocation: { uri: `src/${n}.ts` }, region: { startLine: n } } }],
      }),
    end: "]}]}",
  },
  gitleaks: {
    begin: "[",
    piece: (n) =>
      member(n, {
        RuleID: "generic-api-key",
        Description: "Generic API key",
        StartLine: n,
        Match: `key = "secret-${n}"`,
        Secret: `secret-${n}`,
        File: `src/${n}.ts`,
        Commit: "0123456789abcdef0123456789abcdef01234567",
        Message: description,
      }),
    end: "]",
  },
  TruffleHog: {
    begin: "",
    piece: (n) =>
      `${JSON.stringify({
        SourceMetadata: { Data: { Git: { file: `src/${n}.ts`, line: n } } },
        DetectorName: "URI",
        Raw: `secret-${n}`,
        ExtraData: { message: description },
      })}\n`,
    end: "",
  },
  ZAP: {
    begin: '<OWASPZAPReport version="2.16.0"><site name="x"><alerts>',
    piece: () => `<alertitem><riskcode>2</riskcode><confidence>2</confidence><desc>${description}</desc></alertitem>\n`,
    end: "</alerts></site></OWASPZAPReport>",
  },
  LCOV: {
    begin: "",
    piece: (n) =>
      `TN:\nSF:/build/src/file${n}.c\n${numbers(400)
        .map((line) => `DA:${2 * line},${(line * n) % 3}\n`)
        .join("")}LF:400\nLH:266\nend_of_record\n`,
    end: "",
  },
  Cobertura: {
    begin: '<?xml version="1.0"?><coverage line-rate="0.5"><packages><package name="shop"><classes>',
    piece: (n) =>
      `<class name="C${n}" filename="src/C${n}.cs" line-rate="0.5"><methods/><lines>\n${numbers(400)
        .map((line) => `  <line number="${2 * line}" hits="${(line * n) % 3}" branch="False"/>\n`)
        .join("")}</lines></class>\n`,
    end: "</classes></package></packages></coverage>",
  },
  "Go cover profile": {
    begin: "mode: atomic\n",
    piece: (n) =>
      numbers(60)
        .map((block) => `example.com/shop/file${n}.go:${5 * block}.20,${5 * block + 3}.3 3 ${(block * n) % 3}\n`)
        .join(""),
    end: "",
  },
  "Istanbul coverage-final": {
    begin: "{",
    piece: (n) => {
      const statements = numbers(400).map((line) => [line, { start: { line, column: 4 }, end: { line, column: 40 } }]);
      return `${n === 1 ? "" : ","}\n"/src/file${n}.ts":${JSON.stringify({
        path: `/src/file${n}.ts`,
        statementMap: Object.fromEntries(statements),
        fnMap: {},
        branchMap: {},
        s: Object.fromEntries(numbers(400).map((line) => [line, (line * n) % 3])),
      })}`;
    },
    end: "}",
  },
  SimpleCov: {
    begin: '{"RSpec":{"timestamp":1,"coverage":{',
    piece: (n) =>
      `${n === 1 ? "" : ","}\n"/src/file${n}.rb":${JSON.stringify({ lines: numbers(400).map((line) => (line % 2 === 0 ? null : (line * n) % 3)) }, null, 2)}`,
    end: "}}}",
  },
  OpenCover: {
    begin:
      '<CoverageSession><Summary numSequencePoints="2000000000" visitedSequencePoints="1000000000"/><Modules><Module><Files/><Classes><Class><Methods>',
    piece: (n) =>
      `<Method><FileRef uid="${n}"/><SequencePoints>\n${numbers(100)
        .map(
          (line) =>
            `<SequencePoint vc="${(line * n) % 3}" uspid="${line}" ordinal="${line}" sl="${line}" sc="13" el="${line}" ec="42" bec="0" bev="0" fileid="${n}" />\n`,
        )
        .join("")}</SequencePoints></Method>\n`,
    end: "</Methods></Class></Classes></Module></Modules></CoverageSession>",
  },
  "JMeter JTL": {
    begin:
      "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n",
    piece: (n) =>
      n % 50 === 0
        ? `${1_760_000_000_000 + n},${(n * 7919) % 1000},GET /posts,500,Server Error,Users 1-${n % 200},text,false,"Expected ""x"",\nbut not found",28739,135,6,6,https://shop.example/posts,9,0,1\n`
        : `${1_760_000_000_000 + n},${(n * 7919) % 1000},GET /posts,200,OK,Users 1-${n % 200},text,true,,28739,135,6,6,https://shop.example/posts,9,0,1\n`,
    end: "",
  },
  ...scanners,
};

function generate({ begin, piece, end }: Kind): Uint8Array {
  const report = Buffer.alloc(size + 100_000);
  let length = report.write(begin);
  for (let n = 1; length < size; n++) length += report.write(piece(n), length);
  length += report.write(end, length);
  return report.subarray(0, length);
}

const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
const peak = () => megabytes(process.resourceUsage().maxRSS * 1_024);

const kind = kinds[process.argv[2] ?? ""];
if (kind) {
  const report = generate(kind);
  const before = peak();
  const start = performance.now();
  const { format } = readReport(report);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  console.log(`${format}: ${megabytes(report.length)} MB in ${seconds} s, at most ${peak()} MB (${before} before)`);
} else {
  for (const name of Object.keys(kinds)) {
    const options = ["--conditions=@maturity/source", import.meta.filename, name];
    execFileSync(process.execPath, options, { stdio: "inherit" });
  }
}
