import type { Format } from "../format.ts";
import { visitXml } from "../xml.ts";
import { analyserIn, dependencyCheckFacts, nothingRead, severityOfVulnerability } from "./dependency-check-facts.ts";

const dependency = "analysis/dependencies/dependency";
const vulnerability = `${dependency}/vulnerabilities/vulnerability`;
const exception = "analysis/scanInfo/analysisExceptions/exception";

/**
 * The output of OWASP dependency-check's `--format XML`, in any version of its schema. It counts what the JSON does.
 */
export const dependencyCheckXml: Format = {
  name: "dependency-check-xml",
  title: "dependency-check XML",
  words: ["dependency-check", "scanInfo", "projectInfo", "evidenceCollected", "dependencies", "cvssV3"],
  time: { fields: ["projectInfo/reportDate"] },
  metrics: ["sast"],

  // The least after a scan is one dependency, with or without vulnerabilities.
  looksLike: ({ root }) => root?.name === "analysis" && /dependency-?check/i.test(root.attributes.xmlns ?? ""),

  read(document) {
    const scan = nothingRead();
    let words: string[] = [];
    let own: string | undefined;
    const times: string[] = [];
    const addWord = {
      close(text: string) {
        words.push(text.trim());
      },
    };
    visitXml(document.text, {
      [dependency]: {
        open() {
          scan.dependencies++;
        },
      },
      [`${dependency}/vulnerabilities/suppressedVulnerability`]: {
        open() {
          scan.suppressed++;
        },
      },
      [vulnerability]: {
        open() {
          words = [];
          own = undefined;
        },
        close() {
          scan.severities[severityOfVulnerability(words, own)]++;
        },
      },
      [`${vulnerability}/cvssV4/baseSeverity`]: addWord,
      [`${vulnerability}/cvssV3/baseSeverity`]: addWord,
      [`${vulnerability}/cvssV2/severity`]: addWord,
      [`${vulnerability}/severity`]: {
        close(text) {
          own = text.trim();
        },
      },
      "analysis/projectInfo/reportDate": {
        close(text) {
          times.push(text);
        },
      },
      "analysis/scanInfo/engineVersion": {
        close(text) {
          scan.version = text.trim();
        },
      },
      [exception]: {
        open() {
          scan.failed.push(undefined);
        },
      },
      [`${exception}/**`]: {
        close(text) {
          scan.failed.push(scan.failed.pop() ?? analyserIn(text));
        },
      },
    });
    return { ...dependencyCheckFacts(scan), times };
  },
};
