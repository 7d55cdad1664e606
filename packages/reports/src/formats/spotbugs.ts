import type { Format } from "../format.ts";
import { measuredBy } from "../measurement.ts";
import { own } from "../own.ts";
import { noFindings, type Severity } from "../severities.ts";
import { visitXml } from "../xml.ts";

/** The severities for the priorities of SpotBugs, which express its confidence. */
const priorities: Readonly<Record<string, Severity>> = { 1: "high", 2: "medium", 3: "low" };

const missing = "names nothing that was analysed";

/**
 * SpotBugs XML, which FindBugs writes too. Only bugs of the category SECURITY count, which come from the plugin Find
 * Security Bugs. All other categories, even MALICIOUS_CODE, are about style and correctness.
 */
export const spotBugs: Format = {
  name: "spotbugs",
  title: "SpotBugs XML",
  words: ["BugCollection", "BugInstance", "FindBugsSummary", "SourceLine", "ShortMessage"],
  metrics: ["sast"],
  metric: "sast",

  looksLike: ({ root }) => root?.name === "BugCollection",

  read(document) {
    const severities = noFindings();
    let bugs = 0;
    let others = 0;
    let classes: string | undefined;
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
        open({ total_classes }) {
          classes = total_classes;
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
    const version = document.root?.attributes.version;
    return {
      severities: measuredBy(severities, bugs, Number(classes ?? jars) > 0 ? "classes" : undefined, missing),
      tool: version ? `SpotBugs ${version}` : "SpotBugs",
      warnings: unread > 0 ? [`${unread} classes were missing or could not be analysed`] : [],
      notes: others > 0 ? [`${others} bugs of other categories than SECURITY, not counted`] : [],
    };
  },
};
