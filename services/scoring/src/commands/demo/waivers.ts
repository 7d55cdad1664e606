import { hash } from "node:crypto";
import type { WaiverScope } from "@maturity/core";

const dayMs = 86_400_000;

/** A waiver in short. `asked`, `ends` and `revoked` are days from now, below 0 for the past. */
type Decision = readonly [
  kind: "accepted" | "not_applicable",
  target: string,
  waived: string,
  reason: string,
  owner: string,
  asked: number,
  ends?: number,
  revoked?: number,
];

const decisions: readonly Decision[] = [
  ["accepted", "logistics/delivery/routing", "security.dast", "staging is rebuilt", "Ines", -50, 9],
  ["accepted", "service/contact/knowledge-base", "security.image_scan", "it is the vendor's image", "Amir", -20, 41],
  ["accepted", "logistics/delivery", "privileged_container", "the old cluster ends in spring", "Ines", -80, 120],
  ["not_applicable", "shop/storefront/image-resizer", "application.unique_db_user", "it has no database", "Tom", -210],
  ["not_applicable", "platform/developer-tools", "application.stress_test", "few engineers use these", "Ruth", -130],
  ["accepted", "finance/banking/wallet", "security.sast", "the scanner lacks the language", "Ruth", -102, -12],
  ["accepted", "shop/checkout/payment", "reliability.mttr", "incidents were counted twice", "Tom", -70, 20, -33],
];

/** Requests: some wait, and one was rejected with this comment. */
const requests: readonly (readonly [decision: Decision, by: string, rejected?: string])[] = [
  [["accepted", "shop/checkout/payment", "security.dast", "the test shop moves", "Tom", -2, 60], "tom@example.com"],
  [["not_applicable", "service/contact", "application.stress_test", "few callers", "Amir", -6], "amir@example.com"],
  [
    ["accepted", "finance/banking", "security.image_scan", "no time for updates", "Ruth", -12, 200],
    "ruth@example.com",
    "name the images, and ask for two months",
  ],
];

/** A waiver of the organisation, as a row of an export. */
export interface DemoWaiver extends WaiverScope {
  readonly table: "waivers";
  readonly id: string;
  readonly decision?: "approved" | "rejected";
  readonly decided_at?: string;
  readonly expires_at?: string;
  readonly revoked_at?: string;
}

/** The waivers of the organisation, some of them ended or revoked, and some only asked for. */
export function demoWaivers(now: Date): DemoWaiver[] {
  const timeOf = (days: number) => new Date(now.getTime() + days * dayMs).toISOString();
  const office = "security office";
  const rowOf = ([kind, target, waived, reason, owner, asked, ends, revoked]: Decision, by: string) => {
    const [area = "", team, app] = target.split("/");
    const [scorecard, metric] = waived.split(".");
    return {
      ...{ kind, area, team, app },
      ...(metric === undefined ? { problem_type: waived } : { scorecard, metric }),
      ...{ reason, owner, requested_at: timeOf(asked), requested_by: by },
      ...(ends !== undefined && { expires_at: timeOf(ends) }),
      ...(revoked !== undefined && { revoked_at: timeOf(revoked), revoked_by: office }),
    };
  };
  const decided = (decision: "approved" | "rejected", days: number) =>
    ({ decision, decided_at: timeOf(days), decided_by: office }) as const;
  const rows = [
    ...decisions.map((one) => ({ ...rowOf(one, office), ...decided("approved", one[5]) })),
    ...requests.map(([one, by, comment]) => ({
      ...rowOf(one, by),
      ...(comment !== undefined && { ...decided("rejected", one[5] + 1), comment }),
    })),
  ];
  return rows.map((row, index) => ({ table: "waivers", id: idOf(index), ...row }));
}

/** A UUID that is always the same for an index. */
function idOf(index: number): string {
  return hash("sha256", `waiver ${index}`).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}
