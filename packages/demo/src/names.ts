import { demoTeams } from "./organisation.ts";

/** Registered applications without any result. */
const silent = [
  { area: "shop", team: "checkout", app: "gift-cards" },
  { area: "logistics", team: "warehouse", app: "robots" },
  { area: "service", team: "insights", app: "heat-maps" },
];

/** Registered with the label `kind: library`; all others are services. */
const libraries: ReadonlySet<string> = new Set([
  "pricing",
  "image-resizer",
  "address-check",
  "limits",
  "feature-flags",
]);

const storefront = { area: "shop", team: "storefront" };

/** What was called otherwise, and how many days ago it moved. */
const moves = [
  { daysAgo: 150, from: { area: "logistics", team: "transport" }, to: { area: "logistics", team: "delivery" } },
  { daysAgo: 24, from: { ...storefront, app: "app-gateway" }, to: { ...storefront, app: "mobile-gateway" } },
];

const retired = { area: "service", team: "contact", app: "fax-gateway" };
const [retiredDaysAgo, reason] = [11, "nobody sends faxes any more"];

function ago(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}

/** The registered and retired applications and the former names of the organisation, as rows of an export. */
export function nameRows(now: Date): object[] {
  const reporting = demoTeams.flatMap(({ area, team, apps }) => apps.map((app) => ({ area, team, app })));
  return [
    ...[...reporting, ...silent, retired].map(({ area, team, app }, index) => ({
      ...{ table: "apps", area, team, app, owner: team, repo: `https://git.example.com/${area}/${app}` },
      ...{
        tier: String(1 + (index % 3)),
        labels: { kind: libraries.has(app) ? "library" : "service" },
        registered_at: ago(now, 300).toISOString(),
        ...(app === retired.app && { retired_at: ago(now, retiredDaysAgo).toISOString(), reason }),
      },
    })),
    ...moves.map(({ daysAgo, from, to }) => ({
      ...{ table: "former_names", ...from, moved_at: ago(now, daysAgo).toISOString() },
      ...Object.fromEntries(Object.entries(to).map(([part, name]) => [`to_${part}`, name])),
    })),
  ];
}

/** The moves and the retirement, as the audit has them. */
export function nameActions(now: Date): readonly {
  readonly since: Date;
  readonly action: "app.move" | "app.retire";
  readonly target: { readonly area: string; readonly team: string; readonly app?: string };
  readonly details: Readonly<Record<string, unknown>>;
}[] {
  return [
    ...moves.map(({ daysAgo, from, to }) => ({
      ...{ since: ago(now, daysAgo), action: "app.move" as const, target: from, details: { to, merge: false } },
    })),
    { since: ago(now, retiredDaysAgo), action: "app.retire", target: retired, details: { reason } },
  ];
}
