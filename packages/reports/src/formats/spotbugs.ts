import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { own } from "../own.ts";
import { noFindings, type Severity } from "../severities.ts";
import { refuseTruncated } from "../stated.ts";
import { visitXml } from "../xml.ts";

/** The severities for the priorities of SpotBugs, which express its confidence. */
const priorities: Readonly<Record<string, Severity>> = { 1: "high", 2: "medium", 3: "low" };

const missing = "names nothing that was analysed";
const insecure =
  "does not show that the detectors of Find Security Bugs ran, the plugin that looks for vulnerabilities";
/** The id of this plugin, and the package of its detectors. */
const plugin = "com.h3xstream.findsecbugs";

/**
 * SpotBugs XML, which FindBugs writes too. Only bugs of the category SECURITY count, which come from the plugin Find
 * Security Bugs: priority 1 is high, 2 medium, 3 low. All other categories, even MALICIOUS_CODE, are about style and
 * correctness. Where nothing is found, the report has to name classes and the plugin.
 */
export const spotBugs: Format = {
  name: "spotbugs",
  title: "SpotBugs XML",
  words: ["BugCollection", "BugInstance", "FindBugsSummary", "SourceLine", "ShortMessage"],
  time: { fields: ["@analysisTimestamp"] },
  metrics: ["sast"],
  metric: "sast",

  looksLike: ({ root }) => root?.name === "BugCollection",

  read(document) {
    const severities = noFindings();
    let bugs = 0;
    let others = 0;
    let classes: string | undefined;
    let stated: string | undefined;
    let looksForSecurity = false;
    let jars = 0;
    let unread = 0;
    const countUnread = {
      open() {
        unread++;
      },
    };
    visitXml(document.text, {
      "BugCollection/BugInstance": {
        open({ category, priority = "" }) {
          bugs++;
          if (category === "SECURITY") severities[own(priorities, priority) ?? "unknown"]++;
          else others++;
        },
      },
      "BugCollection/FindBugsSummary": {
        open({ total_classes, total_bugs }) {
          classes = total_classes;
          stated = total_bugs;
        },
      },
      "BugCollection/FindBugsSummary/FindBugsProfile/ClassProfile": {
        open({ name }) {
          looksForSecurity ||= name?.startsWith(`${plugin}.`) === true;
        },
      },
      "BugCollection/Project/Plugin": {
        open({ id, enabled }) {
          looksForSecurity ||= id === plugin && enabled !== "false";
        },
      },
      "BugCollection/Project/Jar": {
        open() {
          jars++;
        },
      },
      "BugCollection/Errors/MissingClass": countUnread,
      "BugCollection/Errors/Error": countUnread,
    });
    // SpotBugs lists equal bugs once and counts each: up to 4.8 (https://github.com/spotbugs/spotbugs/issues/876), and in
    // merged reports (https://github.com/spotbugs/spotbugs/issues/3721). So only a list without any shows that some are lost.
    if (bugs === 0) refuseTruncated(Number(stated), bugs, "total_bugs of <FindBugsSummary>");
    const hasAnalysed = Number(classes ?? jars) > 0;
    const evidence = hasAnalysed && looksForSecurity ? "detectors of Find Security Bugs" : undefined;
    const version = document.root?.attributes.version;
    return {
      severities: measuredCounts(severities, evidence, hasAnalysed ? insecure : missing),
      tool: version ? `SpotBugs ${version}` : "SpotBugs",
      warnings: unread > 0 ? [`${unread} classes were missing or could not be analysed`] : [],
      notes: others > 0 ? [`${others} bugs of other categories than SECURITY, not counted`] : [],
    };
  },
};
