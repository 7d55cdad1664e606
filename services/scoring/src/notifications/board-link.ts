import type { Fact } from "../model/fact.ts";

/**
 * The address of the Board's page about a fact: its campaign, its application, team or area, else the whole organisation.
 *
 * @param boardUrl the address of the Board; null if it is not known
 */
export function linkTo(boardUrl: string | null, { type, data, area, team, app, env }: Fact): string | null {
  if (boardUrl === null) return null;
  const url = new URL(boardUrl);
  if (type.startsWith("campaign.")) {
    url.searchParams.set("view", "campaign");
    url.searchParams.set("campaign", String(data.id));
    return url.href;
  }
  if (area !== null && team === null) url.searchParams.set("view", "teams");
  for (const [name, value] of Object.entries({ env, area, team, app })) {
    if (value !== null) url.searchParams.set(name, value);
  }
  return url.href;
}
