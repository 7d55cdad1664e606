import { unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings, type Severity, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectsOf, textOf } from "../shape.ts";

const words = { blocker: "critical", critical: "high", major: "medium", minor: "low" } as const;
/** A word of `impacts`, which newer versions have beside `severity` or in place of it. */
const impactWords = { blocker: "critical" } as const;

/**
 * One or more pages of the answer of `api/issues/search` of SonarQube or SonarCloud. Vulnerabilities count: BLOCKER is
 * critical, CRITICAL high, MAJOR medium, MINOR low, INFO unknown. Hotspots are not part of it. An issue that stands on
 * two pages counts once, by its key. It is refused if pages are missing. The answer about a project that SonarQube
 * does not know is that of a clean one, as a note says.
 */
export const sonarqube: Format = {
  name: "sonarqube",
  title: "SonarQube issues",
  words: ["paging", "issues", "effortTotal", "components", "facets", "textRange", "creationDate"],
  time: "none",
  metrics: ["sast"],
  metric: "sast",

  // The least of an answer is a total of 0 with a list of components. Issue trackers have issues and a total too.
  looksLike: ({ head }) => head.some((record) => isObject(record) && "issues" in record && isPage(record)),

  read(document) {
    const severities = noFindings();
    const present = new Set<unknown>();
    const seen = new Set<string>();
    let repeated = 0;
    let total = 0;
    let other = 0;
    let closed = 0;
    let isShown = true;
    for (const { record, path } of objectsOf(document)) {
      const issues = listAt(record.issues, `${path}issues`);
      for (const { entry, path: at } of entriesAt(issues, `${path}issues`)) {
        const key = textOf(entry.key);
        present.add(key ?? entry);
        const severity = severityOfIssue(entry, at);
        const isClosed = entry.status === "RESOLVED" || entry.status === "CLOSED";
        const identity = JSON.stringify([key, severity, isClosed]);
        if (key && seen.has(identity)) {
          repeated++;
          continue;
        }
        seen.add(identity);
        if (severity === undefined) other++;
        else if (isClosed) closed++;
        else severities[severity]++;
      }
      const stated = totalOf(record);
      isShown &&= issues.length > 0 || (Array.isArray(record.components) && stated !== undefined);
      total = Math.max(total, stated ?? 0);
    }
    if (present.size < total) {
      throw unreadable(`it has ${present.size} of ${total} issues; put all pages into the file, one after the other`);
    }
    const notes = closed > 0 ? [`${closed} resolved or closed, not counted`] : [];
    if (other > 0) notes.push(`${other} bugs and code smells, not counted`);
    if (repeated > 0) notes.push(`${repeated} repeated, counted once`);
    if (total === 0) notes.push("no issue at all, as SonarQube also answers of a project that it does not know");
    return {
      severities: measuredCounts(
        severities,
        isShown ? "components" : undefined,
        "lists no components, or states no total",
      ),
      tool: "SonarQube",
      notes,
    };
  },
};

/** Whether this is a page of the answer. The differential report of a scanner has a version, and no pages. */
function isPage(record: Fields): boolean {
  if ("version" in record && !("paging" in record)) return false;
  if ("paging" in record || "effortTotal" in record || "facets" in record || "components" in record) return true;
  const [issue] = Array.isArray(record.issues) ? record.issues : [];
  return isObject(issue) && "rule" in issue && "component" in issue;
}

/** The severity of an issue. Undefined if it is no vulnerability. */
function severityOfIssue(issue: Fields, path: string): Severity | "unknown" | undefined {
  if (issue.type !== undefined) return issue.type === "VULNERABILITY" ? severityOf(issue.severity, words) : undefined;
  for (const { entry } of entriesAt(listAt(issue.impacts, `${path}.type or ${path}.impacts`), `${path}.impacts`)) {
    if (entry.softwareQuality === "SECURITY") return severityOf(entry.severity, impactWords);
  }
  return undefined;
}

/** How many issues an answer says there are. The total beside `paging` is deprecated, so it counts only where `paging` has none. */
function totalOf({ paging, total }: Fields): number | undefined {
  return [isObject(paging) ? paging.total : undefined, total].find((count) => typeof count === "number");
}
