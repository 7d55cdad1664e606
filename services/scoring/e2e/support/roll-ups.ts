import { type Exemption, rollUp, type Scorecard, type ScoreRecord, type Target, type Waiver } from "@maturity/core";
import { parseExposition } from "../../test/support/exposition-parser.ts";
import {
  expectSeries,
  type ReadList,
  readRollUp,
  type Series,
  seriesOf,
  seriesOfRollUp,
} from "../../test/support/roll-up-series.ts";
import type { Prometheus } from "./prometheus.ts";

/**
 * Every roll-up that Prometheus has recorded, or was given under the names of the rules. An alert has a record of its own,
 * which comes once a minute.
 */
async function recordedRollUps(prometheus: Prometheus): Promise<Series> {
  const ofRules = '__name__=~"maturity:(scorecard|app|team|area)_.*", __name__!="maturity:app_score_by_rules"';
  return seriesOf(await prometheus.query(`{${ofRules}}`));
}

/**
 * Expects Prometheus to have recorded exactly the roll-ups that core computes, each within 1e-9.
 *
 * @returns how many there are
 */
export async function expectRollUps(
  prometheus: Prometheus,
  scorecards: readonly Scorecard[],
  scores: readonly ScoreRecord[],
  waivers: readonly Waiver[] = [],
  exemptionsOf?: (target: Target) => readonly Exemption[],
): Promise<number> {
  const expected = seriesOfRollUp(rollUp(scorecards, scores, new Date(), waivers, exemptionsOf));
  expectSeries(await recordedRollUps(prometheus), expected);
  return expected.size;
}

/** Expects the lists and the series of a service to be exactly the roll-ups that core computes, each within 1e-9. */
export async function expectServed(
  address: string,
  scorecards: readonly Scorecard[],
  scores: readonly ScoreRecord[],
  waivers: readonly Waiver[] = [],
  exemptionsOf?: (target: Target) => readonly Exemption[],
): Promise<void> {
  const expected = seriesOfRollUp(rollUp(scorecards, scores, new Date(), waivers, exemptionsOf));
  expectSeries(seriesOfRollUp(await readRollUp(listsAt(address))), expected);
  const scrape = await fetch(`${address}/metrics?collect[]=rollups`);
  expectSeries(seriesOf(parseExposition(await scrape.text())), expected);
}

/** The lists of a service, page by page. */
function listsAt(address: string): ReadList {
  return async (path) => {
    const items: object[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query = new URLSearchParams({ limit: "1000", ...(cursor && { cursor }) });
      const response = await fetch(`${address}${path}?${query}`);
      const page = (await response.json()) as { items: object[]; next: string | null };
      items.push(...page.items);
      cursor = page.next;
    }
    return items;
  };
}
