import { hash } from "node:crypto";
import type { WaiverScope } from "@maturity/core";

const dayMs = 86_400_000;

/** A request for a waiver in short. Times are days from now, below 0 for the past. */
type Asked = readonly [of: string, waived: string, reason: string, owner: string, asked: number, ends: number | null];

/** What became of a request some hours after it was made. */
interface Outcome {
  readonly decision?: "approved" | "rejected" | "withdrawn";
  readonly comment?: string;
  /** When it was revoked, in days from now. */
  readonly revoked?: number;
  readonly evidence?: string;
  /** The index of the waiver that it extends. */
  readonly extends?: number;
}

const approved = { decision: "approved" } as const;

/** A request without an end is of the kind `not_applicable`. */
const requests: readonly (readonly [Asked, Outcome])[] = [
  [["logistics/delivery/routing", "security.dast", "staging is rebuilt", "Ines", -50, 9], approved],
  [["service/contact/knowledge-base", "security.image_scan", "it is the vendor's image", "Amir", -20, 41], approved],
  [["logistics/delivery", "privileged_container", "the old cluster ends in spring", "Ines", -80, 120], approved],
  [["shop/storefront/image-resizer", "application.unique_db_user", "it has no database", "Tom", -210, null], approved],
  [["platform/developer-tools", "application.stress_test", "few engineers use these", "Ruth", -130, null], approved],
  [["finance/banking/wallet", "security.sast", "the scanner lacks the language", "Ruth", -102, -12], approved],
  [
    ["shop/checkout/payment", "reliability.mttr", "incidents were counted twice", "Tom", -70, 20],
    { ...approved, revoked: -33 },
  ],
  [["shop/checkout/payment", "security.dast", "the test shop moves to another network", "Tom", -2, 60], {}],
  [
    ["shop/storefront/web", "security.sast", "the findings are in generated code", "Tom", -4, 90],
    { evidence: "https://git.example.com/shop/web/pulls/1203" },
  ],
  [["service/contact", "application.stress_test", "these teams serve only colleagues", "Amir", -6, null], {}],
  [
    ["logistics/delivery/routing", "security.dast", "the rebuild takes a month longer", "Ines", -1, 40],
    { extends: 0, evidence: "https://wiki.example.com/staging" },
  ],
  [["finance", "reliability.mttd", "the monitoring is replaced in this quarter", "Ruth", -3, 75], {}],
  [
    ["finance/banking", "security.image_scan", "no time for updates", "Ruth", -12, 200],
    { decision: "rejected", comment: "name the images, and ask for two months" },
  ],
  [
    ["shop/storefront/mobile-gateway", "security.image_scan", "the base image is old", "Tom", -9, 170],
    { decision: "rejected", comment: "a newer base image is out; update to it" },
  ],
  [
    ["shop/checkout/cart", "application.integration_coverage", "the tests are rewritten", "Tom", -15, 30],
    { decision: "withdrawn" },
  ],
];

/** Whoever decides. */
const officer = "sonia@example.com";

/** A waiver of the organisation, as a row of an export. */
export interface DemoWaiver extends WaiverScope {
  readonly table: "waivers";
  readonly id: string;
  readonly kind: "accepted" | "not_applicable";
  readonly reason: string;
  readonly owner: string;
  readonly evidence?: string;
  readonly extends?: string;
  readonly requested_at: string;
  readonly requested_by: string;
  readonly decision?: "approved" | "rejected" | "withdrawn";
  readonly decided_at?: string;
  readonly decided_by?: string;
  readonly comment?: string;
  readonly expires_at?: string;
  readonly revoked_at?: string;
  readonly revoked_by?: string;
}

/** The waivers of the organisation: in force, ended, revoked, rejected, withdrawn, and some that wait for a decision. */
export function demoWaivers(now: Date): DemoWaiver[] {
  const timeOf = (days: number) => new Date(now.getTime() + days * dayMs).toISOString();
  return requests.map(([[of, waived, reason, owner, asked, ends], outcome], index) => {
    const { decision, comment, revoked, evidence, extends: before } = outcome;
    const [area = "", team, app] = of.split("/");
    const [scorecard, metric] = waived.split(".");
    const requested_by = `${owner.toLowerCase()}@example.com`;
    return {
      ...{ table: "waivers", id: idOf(index), kind: ends === null ? "not_applicable" : "accepted", area, team, app },
      ...(metric === undefined ? { problem_type: waived } : { scorecard, metric }),
      ...{ reason, owner, requested_at: timeOf(asked), requested_by, ...(evidence && { evidence }) },
      ...(before !== undefined && { extends: idOf(before) }),
      ...(ends !== null && { expires_at: timeOf(ends) }),
      ...(decision && { decision, decided_at: timeOf(asked + 0.2), ...(comment && { comment }) }),
      ...(decision && { decided_by: decision === "withdrawn" ? requested_by : officer }),
      ...(revoked !== undefined && { revoked_at: timeOf(revoked), revoked_by: officer }),
    };
  });
}

const verbs = { approved: "approve", rejected: "reject", withdrawn: "withdraw" } as const;

/** What was done with waivers, as the audit has it. */
export interface WaiverAction {
  readonly since: Date;
  readonly actor: string;
  readonly verb: "request" | "approve" | "reject" | "withdraw" | "revoke";
  /** The waiver as the action left it. */
  readonly waiver: DemoWaiver;
}

/** The requests for these waivers, what became of them, and the revocations. */
export function waiverActions(waivers: readonly DemoWaiver[]): WaiverAction[] {
  return waivers.flatMap((waiver) => {
    const { comment, decision, decided_at, decided_by, revoked_at, revoked_by, ...asked } = waiver;
    const { requested_at, requested_by } = asked;
    const actions: WaiverAction[] = [
      { since: new Date(requested_at), actor: requested_by, verb: "request", waiver: asked },
    ];
    if (decision && decided_at && decided_by)
      actions.push({ since: new Date(decided_at), actor: decided_by, verb: verbs[decision], waiver });
    if (revoked_at && revoked_by)
      actions.push({ since: new Date(revoked_at), actor: revoked_by, verb: "revoke", waiver });
    return actions;
  });
}

/** A UUID that is always the same for an index. */
function idOf(index: number): string {
  return hash("sha256", `waiver ${index}`).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}
