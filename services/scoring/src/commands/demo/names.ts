import { demoTeams } from "./organisation.ts";

/** Applications that are registered, and have never reported. */
const silent = [
  { area: "shop", team: "checkout", app: "gift-cards" },
  { area: "logistics", team: "warehouse", app: "robots" },
  { area: "service", team: "insights", app: "heat-maps" },
];

/** Names of before, of an application or of a team, with how many days ago they changed. */
const former = [
  {
    ...{ area: "shop", team: "storefront", app: "app-gateway", daysAgo: 24 },
    ...{ to_area: "shop", to_team: "storefront", to_app: "mobile-gateway" },
  },
  { area: "logistics", team: "transport", to_area: "logistics", to_team: "delivery", daysAgo: 150 },
];

/** What is registered of the organisation, and its names of before, in the form of an export. */
export function* nameRows(now: Date): Generator<object> {
  const timeOf = (daysAgo: number) => new Date(now.getTime() - daysAgo * 86_400_000).toISOString();
  const reporting = demoTeams.flatMap(({ area, team, apps }) => apps.map((app) => ({ area, team, app })));
  for (const [index, { area, team, app }] of [...reporting, ...silent].entries()) {
    yield {
      ...{ table: "apps", area, team, app, owner: team, repo: `https://git.example.com/${area}/${app}` },
      ...{ tier: String(1 + (index % 3)), labels: {}, registered_at: timeOf(300) },
    };
  }
  for (const { daysAgo, ...names } of former) yield { table: "former_names", ...names, moved_at: timeOf(daysAgo) };
}
