import { hash } from "node:crypto";
import type { Waiver } from "@maturity/core";

const dayMs = 86_400_000;

/** A waiver in short. `made`, `ends` and `revoked` are days from now, below 0 for the past. */
type Decision = readonly [
  kind: "accepted" | "not_applicable",
  target: string,
  waived: string,
  reason: string,
  owner: string,
  made: number,
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

/** A waiver of the organisation, as a row of an export. */
export interface DemoWaiver extends Waiver {
  readonly table: "waivers";
  readonly id: string;
  readonly created_at: string;
}

/** The waivers of the organisation, some of them ended or revoked. */
export function demoWaivers(now: Date): DemoWaiver[] {
  const timeOf = (days: number) => new Date(now.getTime() + days * dayMs).toISOString();
  return decisions.map(([kind, target, waived, reason, owner, made, ends, revoked], index) => {
    const [area = "", team, app] = target.split("/");
    const [scorecard, metric] = waived.split(".");
    return {
      ...{ table: "waivers", id: idOf(index), kind, area, team, app },
      ...(metric === undefined ? { problem_type: waived } : { scorecard, metric }),
      ...{ reason, owner, created_at: timeOf(made), created_by: "security office" },
      ...(ends !== undefined && { expires_at: timeOf(ends) }),
      ...(revoked !== undefined && { revoked_at: timeOf(revoked), revoked_by: "security office" }),
    };
  });
}

/** A UUID that is always the same for an index. */
function idOf(index: number): string {
  return hash("sha256", `waiver ${index}`).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}
