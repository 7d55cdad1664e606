import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings } from "../severities.ts";
import { entriesAt, type Fields, isObject, objectsOf, textOf } from "../shape.ts";
import { isFalsePositive, noSite, riskOf, zapNotes } from "./zap-risk.ts";

/**
 * ZAP's traditional JSON report. Each kind of alert counts once for a site, by `riskcode`, however often it occurs
 * there; false positives do not. Where nothing is found, a site has to have a list of alerts.
 */
export const zapJson: Format = {
  name: "zap-json",
  title: "ZAP JSON",
  words: ["@programName", "@version", "@generated", "site", "alerts", "riskcode", "pluginid"],
  time: { fields: ["created", "@generated"] },
  metrics: ["dast"],
  metric: "dast",

  // The least after a scan is a site with its name and a list of alerts. A site that was not reached is not listed.
  looksLike: ({ head }) =>
    head.some(
      (record) =>
        isObject(record) &&
        !("vulnerabilities" in record) &&
        (["@programName", "@version", "@generated"].filter((key) => key in record).length >= 2 ||
          ("site" in record && sitesOf(record).some((site) => isObject(site) && "@name" in site))),
    ),

  read(document) {
    const severities = noFindings();
    let falsePositives = 0;
    let isShown = true;
    let version: string | undefined;
    for (const { record, path } of objectsOf(document)) {
      let sites = 0;
      for (const site of entriesAt(sitesOf(record), `${path}site`)) {
        if (textOf(site.entry["@name"]) && Array.isArray(site.entry.alerts)) sites++;
        for (const { entry } of entriesAt(site.entry.alerts, `${site.path}.alerts`)) {
          if (isFalsePositive(entry.confidence)) falsePositives++;
          else severities[riskOf(entry.riskcode)]++;
        }
      }
      isShown &&= sites > 0;
      version ??= textOf(record["@version"]);
    }
    const tool = version === undefined ? "ZAP" : `ZAP ${version}`;
    return {
      severities: measuredCounts(severities, isShown ? "sites" : undefined, noSite),
      tool,
      notes: zapNotes(falsePositives),
    };
  },
};

/** The sites: a list, or in old versions an object if there is only one. */
function sitesOf({ site }: Fields): readonly unknown[] {
  return Array.isArray(site) ? site : site === undefined || site === null ? [] : [site];
}
