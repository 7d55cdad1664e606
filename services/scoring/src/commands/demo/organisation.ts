/** A team of the made-up organisation. */
export interface DemoTeam {
  readonly area: string;
  readonly team: string;
  /** How well it does, from 0 to 1. */
  readonly quality: number;
  /** By how much that changes in a year. */
  readonly trend: number;
  readonly apps: readonly string[];
}

/** An application whose reports ended so many days ago. */
export const silentApps: Readonly<Record<string, number>> = { newsletter: 40, "dashboard-api": 10 };

/** Five areas with fourteen teams and sixty applications: some do well, some do badly, some get better or worse. */
export const demoTeams: readonly DemoTeam[] = [
  { area: "shop", team: "checkout", quality: 0.42, trend: 0.12, apps: ["cart", "payment", "voucher", "order-history"] },
  {
    ...{ area: "shop", team: "catalogue", quality: 0.66, trend: 0.02 },
    apps: ["product", "search", "pricing", "review", "recommendation"],
  },
  {
    ...{ area: "shop", team: "storefront", quality: 0.3, trend: -0.14 },
    apps: ["web", "mobile-gateway", "cms", "image-resizer", "newsletter"],
  },
  {
    area: "logistics",
    team: "warehouse",
    quality: 0.38,
    trend: 0.06,
    apps: ["stock", "picking", "packing", "returns"],
  },
  {
    ...{ area: "logistics", team: "delivery", quality: 0.12, trend: -0.2 },
    apps: ["routing", "tracking", "carrier-gateway", "address-check"],
  },
  { area: "logistics", team: "fleet", quality: 0.55, trend: 0, apps: ["telemetry", "maintenance", "driver-app"] },
  {
    area: "finance",
    team: "ledger",
    quality: 0.82,
    trend: 0.04,
    apps: ["ledger", "payout", "reconciliation", "invoice"],
  },
  { area: "finance", team: "risk", quality: 0.38, trend: 0.4, apps: ["fraud-check", "limits", "sanctions-screening"] },
  {
    ...{ area: "finance", team: "banking", quality: 0.72, trend: -0.2 },
    apps: ["card-gateway", "sepa-gateway", "wallet", "exchange-rates"],
  },
  {
    ...{ area: "platform", team: "identity", quality: 0.9, trend: 0.03 },
    apps: ["login", "user-directory", "consent", "token-issuer", "sessions"],
  },
  {
    ...{ area: "platform", team: "data", quality: 0.5, trend: 0.1 },
    apps: ["event-hub", "warehouse-loader", "reports", "feature-store", "catalog"],
  },
  {
    ...{ area: "platform", team: "developer-tools", quality: 0.84, trend: 0 },
    apps: ["ci-runner", "artifact-store", "secrets-broker", "feature-flags", "status-page"],
  },
  {
    ...{ area: "service", team: "contact", quality: 0.27, trend: 0.12 },
    apps: ["chat", "tickets", "call-routing", "mail-sender", "knowledge-base"],
  },
  {
    ...{ area: "service", team: "insights", quality: 0.2, trend: -0.08 },
    apps: ["surveys", "sentiment", "dashboard-api", "partner-portal"],
  },
];
