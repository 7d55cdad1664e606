import { hash } from "node:crypto";

/** A team of the made-up organisation. */
export interface DemoTeam {
  readonly area: string;
  readonly team: string;
  /** The mean quality of its applications at the middle of the year, from 0 to 1. */
  readonly quality: number;
  /** By how much the quality changes in a year. */
  readonly trend: number;
  readonly apps: readonly string[];
}

/** By application: how many days ago its reports ended. */
export const silentApps: Readonly<Record<string, number>> = { newsletter: 40, "dashboard-api": 10 };

const teams: readonly [area: string, team: string, quality: number, trend: number, apps: string][] = [
  ["shop", "checkout", 0.42, 0.12, "cart payment voucher order-history"],
  ["shop", "catalogue", 0.66, 0.02, "product search pricing review recommendation"],
  ["shop", "storefront", 0.3, -0.14, "web mobile-gateway cms image-resizer newsletter"],
  ["logistics", "warehouse", 0.38, 0.06, "stock picking packing returns"],
  ["logistics", "delivery", 0.12, -0.2, "routing tracking carrier-gateway address-check"],
  ["logistics", "fleet", 0.55, 0, "telemetry maintenance driver-app"],
  ["finance", "ledger", 0.82, 0.04, "ledger payout reconciliation invoice"],
  ["finance", "risk", 0.38, 0.4, "fraud-check limits sanctions-screening"],
  ["finance", "banking", 0.72, -0.2, "card-gateway sepa-gateway wallet exchange-rates"],
  ["platform", "identity", 0.9, 0.03, "login user-directory consent token-issuer sessions"],
  ["platform", "data", 0.5, 0.1, "event-hub warehouse-loader reports feature-store catalog"],
  ["platform", "developer-tools", 0.84, 0, "ci-runner artifact-store secrets-broker feature-flags status-page"],
  ["service", "contact", 0.27, 0.12, "chat tickets call-routing mail-sender knowledge-base"],
  ["service", "insights", 0.2, -0.08, "surveys sentiment dashboard-api partner-portal"],
];

/** Five areas with fourteen teams and sixty applications, of high and low quality, rising and falling. */
export const demoTeams: readonly DemoTeam[] = teams.map(([area, team, quality, trend, apps]) => ({
  ...{ area, team, quality, trend },
  apps: apps.split(" "),
}));

/** A generator of numbers from 0 up to 1. The same name always gives the same numbers. */
export function randomOf(name: string): () => number {
  let count = 0;
  return () => Number.parseInt(hash("sha256", `${name} ${count++}`).slice(0, 12), 16) / 2 ** 48;
}
