import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings } from "../severities.ts";
import { visitXml } from "../xml.ts";
import { isFalsePositive, noSite, riskOf, zapNotes } from "./zap-risk.ts";

const site = "OWASPZAPReport/site";
const alert = `${site}/alerts/alertitem`;

/** ZAP's traditional XML report, with or without requests and responses. It counts what the JSON does. */
export const zapXml: Format = {
  name: "zap-xml",
  title: "ZAP XML",
  words: ["OWASPZAPReport", "site", "alerts", "alertitem", "riskcode", "pluginid"],
  time: { fields: ["@created", "@generated"] },
  metrics: ["dast"],
  metric: "dast",

  // The least after a scan is a site with its name and a list of alerts. A site that was not reached is not listed.
  looksLike: ({ root }) => root?.name === "OWASPZAPReport",

  read(document) {
    const severities = noFindings();
    let falsePositives = 0;
    let sites = 0;
    let name: string | undefined;
    let riskcode: string | undefined;
    let confidence: string | undefined;
    visitXml(document.text, {
      [site]: {
        open(attributes) {
          name = attributes.name;
        },
      },
      [`${site}/alerts`]: {
        open() {
          sites += name ? 1 : 0;
        },
      },
      [alert]: {
        open() {
          riskcode = undefined;
          confidence = undefined;
        },
        close() {
          if (isFalsePositive(confidence)) falsePositives++;
          else severities[riskOf(riskcode)]++;
        },
      },
      [`${alert}/riskcode`]: {
        close(text) {
          riskcode = text;
        },
      },
      [`${alert}/confidence`]: {
        close(text) {
          confidence = text;
        },
      },
    });
    const version = document.root?.attributes.version;
    const tool = version ? `ZAP ${version}` : "ZAP";
    return {
      severities: measuredCounts(severities, sites > 0 ? "sites" : undefined, noSite),
      tool,
      notes: zapNotes(falsePositives),
    };
  },
};
