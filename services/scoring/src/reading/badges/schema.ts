import { itemFields } from "../../lists/items.ts";
import { type Json, object, textOrNull } from "../../openapi/operation.ts";
import type { StoredBadge } from "../../store/badges.ts";
import type { BadgeAddresses } from "./address.ts";

/** A badge as the API shows it. */
export interface ShownBadge extends StoredBadge {
  /** The path of its image below the address of the service. */
  readonly svg: string;
  /** The path of its content for shields.io. */
  readonly json: string;
}

const { area, team, app, env } = itemFields;

/** A badge, for the description. */
export const badgeSchema: Json = object({
  id: { type: "string", format: "uuid" },
  ...{ area, team, app, env },
  shows: { enum: ["score", "level", "metric"] },
  scorecard: { ...textOrNull, description: "Of the metric that it shows" },
  metric: { ...textOrNull, description: "The metric that it shows" },
  created_at: itemFields.time,
  created_by: { type: "string" },
  svg: {
    type: "string",
    description: "The path of its image below the address of the service; everybody who has it can read it",
  },
  json: { type: "string", description: "The path of its content for the endpoint badge of shields.io" },
});

export const badgeExample: Json = {
  ...{ id: "0195e1f4-5c1b-4d9e-8f55-2f4f0c1b7a10", area: "shop", team: "checkout", app: "cart", env: "prod" },
  ...{ shows: "score", scorecard: null, metric: null },
  ...{ created_at: "2027-01-10T12:30:00.000Z", created_by: "platform" },
  ...{
    svg: "/badge/AZXh9FwbTZ6PVS9PDBt6EJkq0m3c0Zl1s8o4J5cB2nA.svg",
    json: "/badge/AZXh9FwbTZ6PVS9PDBt6EJkq0m3c0Zl1s8o4J5cB2nA.json",
  },
};

/** Adds its addresses to a badge. */
export async function showBadge(badge: StoredBadge, addresses: BadgeAddresses): Promise<ShownBadge> {
  const path = `/badge/${await addresses.tokenOf(badge.id)}`;
  return { ...badge, svg: `${path}.svg`, json: `${path}.json` };
}
