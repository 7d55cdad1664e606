import type { Format } from "../format.ts";
import { visitXml } from "../xml.ts";
import { analyserIn, dependencyCheckFacts, nothingRead, severityOfVulnerability } from "./dependency-check-facts.ts";

const dependency = "analysis/dependencies/dependency";
const vulnerability = `${dependency}/vulnerabilities/vulnerability`;
const exception = "analysis/scanInfo/analysisExceptions/exception";
const cvss = ["cvssV4/baseSeverity", "cvssV3/baseSeverity", "cvssV2/severity"].map(
  (path) => `${vulnerability}/${path}`,
);

/** The output of OWASP dependency-check's `--format XML`, in any version of its schema. */
export const dependencyCheckXml: Format = {
  name: "dependency-check-xml",
  title: "dependency-check XML",
  words: ["dependency-check", "scanInfo", "projectInfo", "evidenceCollected", "dependencies", "cvssV3"],
  metrics: ["sast"],

  looksLike: ({ root }) => root?.name === "analysis" && /dependency-?check/i.test(root.attributes.xmlns ?? ""),

  read(document) {
    const scan = nothingRead();
    let words: string[] = [];
    let own: string | undefined;
    visitXml(document.text, {
      open(path) {
        if (path === dependency) scan.dependencies++;
        else if (path === `${dependency}/vulnerabilities/suppressedVulnerability`) scan.suppressed++;
        else if (path === exception) scan.failed.push(undefined);
        else if (path === vulnerability) {
          words = [];
          own = undefined;
        }
      },
      close(path, text) {
        if (path === vulnerability) scan.severities[severityOfVulnerability(words, own)]++;
        else if (cvss.includes(path)) words.push(text.trim());
        else if (path.startsWith(`${exception}/`)) scan.failed.push(scan.failed.pop() ?? analyserIn(text));
        else if (path === `${vulnerability}/severity`) own = text.trim();
        else if (path === "analysis/scanInfo/engineVersion") scan.version = text.trim();
      },
    });
    return dependencyCheckFacts(scan);
  },
};
