import type { Format } from "../format.ts";
import { noFindings } from "../severities.ts";
import { visitXml } from "../xml.ts";
import { analyserIn, dependencyCheckFacts, severityOfVulnerability } from "./dependency-check-facts.ts";

const dependency = "analysis/dependencies/dependency";
const vulnerability = `${dependency}/vulnerabilities/vulnerability`;
const exception = "analysis/scanInfo/analysisExceptions/exception";
const cvss = ["cvssV4/baseSeverity", "cvssV3/baseSeverity", "cvssV2/severity"].map(
  (path) => `${vulnerability}/${path}`,
);

/** OWASP dependency-check's `--format XML`, of any version of its schema. */
export const dependencyCheckXml: Format = {
  name: "dependency-check-xml",
  title: "dependency-check XML",
  words: ["dependency-check", "scanInfo", "projectInfo", "evidenceCollected", "dependencies", "cvssV3"],
  metrics: ["sast"],

  looksLike: ({ root }) => root?.name === "analysis" && /dependency-?check/i.test(root.attributes.xmlns ?? ""),

  read(document) {
    const severities = noFindings();
    let dependencies = 0;
    let suppressed = 0;
    const failed: (string | undefined)[] = [];
    let version: string | undefined;
    let words: string[] = [];
    let own: string | undefined;
    visitXml(document.text, {
      open(path) {
        if (path === dependency) dependencies++;
        else if (path === `${dependency}/vulnerabilities/suppressedVulnerability`) suppressed++;
        else if (path === exception) failed.push(undefined);
        else if (path === vulnerability) {
          words = [];
          own = undefined;
        }
      },
      close(path, text) {
        if (path === vulnerability) severities[severityOfVulnerability(words, own)]++;
        else if (cvss.includes(path)) words.push(text.trim());
        else if (path.startsWith(`${exception}/`)) failed.push(failed.pop() ?? analyserIn(text));
        else if (path === `${vulnerability}/severity`) own = text.trim();
        else if (path === "analysis/scanInfo/engineVersion") version = text.trim();
      },
    });
    return dependencyCheckFacts({ severities, dependencies, suppressed, failed, version });
  },
};
