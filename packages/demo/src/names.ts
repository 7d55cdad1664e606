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

/** The registered applications and the former names of the organisation, as rows of an export. */
export function nameRows(now: Date): object[] {
  const timeOf = (daysAgo: number) => new Date(now.getTime() - daysAgo * 86_400_000).toISOString();
  const reporting = demoTeams.flatMap(({ area, team, apps }) => apps.map((app) => ({ area, team, app })));
  const [app, team] = [
    { area: "shop", team: "storefront", to_area: "shop", to_team: "storefront" },
    { area: "logistics", team: "transport", to_area: "logistics", to_team: "delivery" },
  ];
  return [
    ...[...reporting, ...silent].map(({ area, team, app }, index) => ({
      ...{ table: "apps", area, team, app, owner: team, repo: `https://git.example.com/${area}/${app}` },
      ...{
        tier: String(1 + (index % 3)),
        labels: { kind: libraries.has(app) ? "library" : "service" },
        registered_at: timeOf(300),
      },
    })),
    { table: "former_names", ...app, app: "app-gateway", to_app: "mobile-gateway", moved_at: timeOf(24) },
    { table: "former_names", ...team, moved_at: timeOf(150) },
  ];
}
