import type { Waiver } from "@maturity/client";
import { duration } from "@maturity/command-line/duration";
import type { Output } from "@maturity/command-line/output";
import type { Column } from "@maturity/command-line/table";
import { metricText } from "@maturity/report-files/metric-name";
import { shownId } from "../deciding/find-by-id.ts";
import type { ListTable } from "./lists.ts";
import { age, scopeText } from "./words.ts";

/** One of 30 days that was just made has some seconds less. */
const aMinuteMs = 60_000;

/** A waiver that ends within this time is shown in yellow, in milliseconds: two weeks. */
const soonMs = 14 * 86_400_000;

/** The waivers, those that end first at the top. */
export const waiverTable: ListTable = {
  noun: "waiver",
  open: (client, query) => client.waivers(query),
  columns: (output, asOf): Column<Waiver>[] => [
    { title: "id", text: ({ id }) => id.slice(0, shownId), isNumber: true },
    { title: "ends", text: (waiver) => endText(waiver, asOf), paint: (waiver) => endPaint(waiver, asOf, output) },
    { title: "what", text: waivedText },
    { title: "of", text: scopeText },
    { title: "kind", text: ({ kind }) => kind.replace("_", " ") },
    { title: "owner", text: ({ owner }) => owner },
    { title: "reason", text: ({ reason }) => reason },
  ],
};

/** What a waiver leaves out. */
export function waivedText({
  scorecard,
  metric,
  problem_type: type,
}: Pick<Waiver, "scorecard" | "metric" | "problem_type">): string {
  if (scorecard === null) return `problem ${type}`;
  return metric === null ? `${scorecard}, all of it` : metricText({ scorecard, metric });
}

function endText(waiver: Waiver, asOf: string): string {
  const { state, expires_at: end, requested_at, requested_by, decided_at, decided_by, revoked_at } = waiver;
  const ago = (time: string | null) => `${age(time ?? requested_at, asOf)} ago`;
  if (state === "requested") return `asked ${ago(requested_at)} by ${requested_by}`;
  if (state === "rejected") return `rejected ${ago(decided_at)} by ${decided_by}`;
  if (state === "withdrawn") return decided_at === null ? "withdrawn, undecided" : `withdrawn ${ago(decided_at)}`;
  if (revoked_at !== null) return `revoked ${ago(revoked_at)}`;
  if (end === null) return "never";
  const restMs = Date.parse(end) - Date.parse(asOf);
  return restMs > 0 ? `in ${duration(restMs + aMinuteMs)}` : `ended ${ago(end)}`;
}

function endPaint(
  { state, expires_at: end }: Waiver,
  asOf: string,
  { colors }: Pick<Output, "colors">,
): (text: string) => string {
  const restMs = end === null || state !== "approved" ? Number.POSITIVE_INFINITY : Date.parse(end) - Date.parse(asOf);
  return restMs > 0 && restMs < soonMs ? colors.yellow : String;
}
