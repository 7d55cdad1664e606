import { hash } from "node:crypto";
import type { Waiver } from "@maturity/core";

const dayMs = 86_400_000;

interface Decision {
  readonly kind: "accepted" | "not_applicable";
  readonly area: string;
  readonly team: string;
  readonly app?: string;
  readonly scorecard?: string;
  readonly metric?: string;
  readonly problem_type?: string;
  readonly reason: string;
  readonly owner: string;
  /** Days from now: negative ones are over. */
  readonly made: number;
  readonly ends?: number;
  readonly revoked?: number;
}

const decisions: readonly Decision[] = [
  {
    ...{ kind: "accepted", area: "logistics", team: "delivery", app: "routing", scorecard: "security", metric: "dast" },
    ...{ reason: "staging is rebuilt; the scan runs again when it stands", owner: "Ines", made: -50, ends: 9 },
  },
  {
    ...{ kind: "accepted", area: "service", team: "contact", app: "knowledge-base" },
    ...{ scorecard: "security", metric: "image_scan", owner: "Amir", made: -20, ends: 41 },
    reason: "the image is the vendor's, whose next release mends it",
  },
  {
    ...{ kind: "accepted", area: "logistics", team: "delivery", problem_type: "privileged_container" },
    ...{ reason: "the old cluster allows no other way, and is switched off in spring", owner: "Ines" },
    ...{ made: -80, ends: 120 },
  },
  {
    ...{ kind: "not_applicable", area: "shop", team: "storefront", app: "image-resizer" },
    ...{ scorecard: "application", metric: "unique_db_user", owner: "Tom", made: -210 },
    reason: "it keeps nothing in a database",
  },
  {
    ...{ kind: "not_applicable", area: "platform", team: "developer-tools" },
    ...{ scorecard: "application", metric: "stress_test", owner: "Ruth", made: -130 },
    reason: "only our own engineers use these, and never many at once",
  },
  {
    ...{ kind: "accepted", area: "finance", team: "banking", app: "wallet", scorecard: "security", metric: "sast" },
    ...{ reason: "the scanner did not know the language of the new module", owner: "Ruth", made: -102, ends: -12 },
  },
  {
    ...{ kind: "accepted", area: "shop", team: "checkout", app: "payment", scorecard: "reliability", metric: "mttr" },
    ...{ reason: "incidents were counted twice after the new pager came", owner: "Tom", made: -70, ends: 20 },
    revoked: -33,
  },
];

/** An id that is the same each time. Its first characters tell it from the others, as those of any waiver do. */
function idOf(index: number): string {
  return hash("sha256", `waiver ${index}`).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}

/** A waiver of the organisation, in the form of an export. */
export interface DemoWaiver extends Waiver {
  readonly table: "waivers";
  readonly id: string;
  readonly created_at: string;
}

/** What is waived in the organisation, and what was. */
export function demoWaivers(now: Date): DemoWaiver[] {
  const timeOf = (days: number) => new Date(now.getTime() + days * dayMs).toISOString();
  return decisions.map(({ made, ends, revoked, ...decision }, index) => ({
    ...{ table: "waivers", id: idOf(index), ...decision },
    ...{ created_at: timeOf(made), created_by: "security office" },
    ...(ends !== undefined && { expires_at: timeOf(ends) }),
    ...(revoked !== undefined && { revoked_at: timeOf(revoked), revoked_by: "security office" }),
  }));
}
