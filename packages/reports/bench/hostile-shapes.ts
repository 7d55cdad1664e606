/** A report of about so many characters, in a shape that costs its format the most. */
export type Shape = (size: number) => string;

/** So many characters of a text, with a beginning and an end around them. */
const filled =
  (begin: string, piece: string, end = ""): Shape =>
  (size) =>
    begin + piece.repeat(Math.ceil(size / piece.length)) + end;

/** The same, with pieces that differ. */
const counted =
  (begin: string, piece: (n: number) => string, end = ""): Shape =>
  (size) => {
    const pieces: string[] = [];
    for (let n = 1, length = 0; length < size; n++) length += pieces[pieces.push(piece(n)) - 1]?.length ?? 0;
    return begin + pieces.join("") + end;
  };

/** Half of it is the name of one element, and half its children. */
const longName =
  (begin: string, end: string, child = "<a/>"): Shape =>
  (size) => {
    const name = "n".repeat(size / 2);
    return `${begin}<${name}>${child.repeat(size / 2 / child.length)}</${name}>${end}`;
  };

const line = '{"template-id":"a","info":{"severity":"high"}}';
const sarif = (results: string, rules = "") =>
  `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Semgrep","rules":[${rules}]}},"results":[${results}`;
const jtl = "timeStamp,elapsed,label,responseCode,responseMessage,success\n";

/** By the format, and what is hostile in it. */
export const shapes: Readonly<Record<string, Shape>> = {
  "cobertura: a long name": longName('<coverage line-rate="1">', "</coverage>"),
  "cobertura: lines in a long name": longName(
    '<coverage line-rate="1"><class filename="a"/>',
    "</coverage>",
    '<class><lines><line number="1" hits="1"/></lines></class>',
  ),
  "clover: a long name": longName('<coverage generated="1"><project>', "</project></coverage>", "<file><line/></file>"),
  "jacoco: a long name": longName("<report><package>", "</package></report>", "<sourcefile/>"),
  "opencover: a long name": longName("<CoverageSession>", "</CoverageSession>"),
  "burp: a long name": longName('<issues burpVersion="1">', "</issues>"),
  "zap-xml: a long name": longName("<OWASPZAPReport>", "</OWASPZAPReport>"),
  "spotbugs: a long name": longName("<BugCollection>", "</BugCollection>"),
  "dependency-check-xml: a long name": longName('<analysis xmlns="dependency-check">', "</analysis>"),
  "dependency-check-xml: many exceptions": filled(
    '<analysis xmlns="dependency-check"><scanInfo><analysisExceptions><exception>',
    "<trace>AbstractAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA</trace>",
    "</exception></analysisExceptions></scanInfo></analysis>",
  ),
  "burp: entities": filled('<issues burpVersion="1"><issue><severity>', "&amp;", "</severity></issue></issues>"),
  "zap-xml: attributes": counted("<OWASPZAPReport ", (n) => `a${n}="1" `, "/>"),
  "zap-xml: a comment": filled("<OWASPZAPReport><!--", "- ", "--></OWASPZAPReport>"),
  "jacoco: as deep as may be": filled("<report><counter/>", "<a>".repeat(98) + "</a>".repeat(98), "</report>"),
  "nuclei: lines that differ": counted("", (n) => `${line.slice(0, -1)},"n":${n}}\n`),
  "nuclei: lists in lists": filled(`[${line},`, `${"[".repeat(900)}${"]".repeat(900)},`, "1]"),
  "nuclei: brackets of no JSON": filled(`${line}\n`, "{\n{ \n[\t\n"),
  "nuclei: blanks": filled(`${line}\n`, " \n"),
  "nuclei: a text that does not end": filled(`${line}\n{"a":"`, "a\\\\"),
  "trivy: cut off": filled('{"SchemaVersion":2,"Results":[{"Target":"a","Vulnerabilities":[', '{"Severity":"HIGH"},'),
  "trivy: many reports": filled("", '{"SchemaVersion":2,"ArtifactName":"a","Results":[{"Class":"os-pkgs"}]}\n'),
  "sarif: an id of slashes": filled(sarif('{"ruleId":"'), "/", '"}]}]}'),
  "sarif: ids of slashes": filled(sarif('{"ruleId":"a"}'), `,{"ruleId":"${"a/".repeat(500)}"}`, "]}]}"),
  "sarif: messages to fill in": filled(
    sarif('{"ruleId":"a"}', `{"id":"a","messageStrings":{"m":{"text":"${"{0}".repeat(5_000)}"}}}`),
    ',{"ruleId":"a","message":{"id":"m","arguments":["x"]}}',
    "]}]}",
  ),
  "gitleaks: lines of secrets": filled('[{"File":"a","StartLine":1,"RuleID":"a","Match":"', "a1b2c3d4 \\n", '"}]'),
  "gitleaks: findings with secrets": filled(
    "[",
    `{"File":"a","StartLine":1,"RuleID":"a","Description":"${"a1b2c3d4 ".repeat(400)}","Match":"${"a1b2c3d4e5 ".repeat(400)}"},`,
    '{"File":"a","StartLine":1,"RuleID":"a"}]',
  ),
  "checkov: lines of code": filled(
    `{"check_type":"terraform","results":{"failed_checks":[{"check_name":"${"ab1".repeat(1_300)}","code_block":[[0,""]`,
    ',[1,"a1b2c3"]',
    "]}]}}",
  ),
  "snyk: many paths": counted(
    '{"ok":false,"vulnerabilities":[{"id":"a"}',
    (n) => `,{"id":"${n}","severity":"low"}`,
    "]}",
  ),
  "istanbul-final: one file": counted(
    '{"a":{"path":"a","statementMap":{"0":{"start":{"line":1}}',
    (n) => `,"${n}":{"start":{"line":${n * 1_000}}}`,
    '},"s":{"0":1}}}',
  ),
  "lcov: many files": counted("", (n) => `SF:${n}\nDA:${n * 1_000},1\nend_of_record\n`),
  "lcov: no record": filled("TN:\n", "TN:\n"),
  "go-cover: colons": filled("mode: set\n", "a:1.1,1.1 1 ", ":1.1,2.2 1 1"),
  "jmeter-jtl: quotes": filled(jtl, '1,1,"a""""""",200,OK,true\n'),
  "jmeter-jtl: a quote that does not end": filled(`${jtl}1,1,"`, 'a""'),
  "jmeter-jtl: cells without delimiters": filled(jtl, '"" '),
  "locust-stats: empty rows": filled("Type,Name,Request Count,Failure Count,Median Response Time,95%\n", "\n"),
};
