import { ReportError } from "../errors.ts";
import type { Format } from "../format.ts";
import { measured } from "../measurement.ts";
import { noFindings } from "../severities.ts";
import { entriesAt, type Fields, isObject, objectsOf, textOf } from "../shape.ts";
import { isFalsePositive, riskOf, zapNotes } from "./zap-risk.ts";

/** ZAP's traditional JSON report. Every kind of alert of a site counts once, however often it was seen. */
export const zapJson: Format = {
  name: "zap-json",
  title: "ZAP JSON",
  words: ["@programName", "@version", "@generated", "site", "alerts", "riskcode", "pluginid"],
  metrics: ["dast"],
  metric: "dast",

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
    let sites = 0;
    let version: string | undefined;
    for (const { record, path } of objectsOf(document)) {
      for (const site of entriesAt(sitesOf(record), `${path}site`)) {
        sites++;
        for (const { entry } of entriesAt(site.entry.alerts, `${site.path}.alerts`)) {
          if (isFalsePositive(entry.confidence)) falsePositives++;
          else severities[riskOf(entry.riskcode)]++;
        }
      }
      version ??= textOf(record["@version"]);
    }
    if (sites === 0) throw new ReportError("nothing-measured", "it has no site: nothing was visited");
    const tool = version === undefined ? "ZAP" : `ZAP ${version}`;
    return { severities: measured(severities, `${sites} sites`), tool, notes: zapNotes(falsePositives) };
  },
};

/** A list; a single site of old versions is an object. */
function sitesOf({ site }: Fields): readonly unknown[] {
  return Array.isArray(site) ? site : site === undefined || site === null ? [] : [site];
}
