import type { NewBadge } from "../../src/model/badge.ts";
import { post, type Server } from "./requests.ts";

/** The application of the badges. */
export const badged: { readonly area: string; readonly team: string; readonly app: string; readonly env: string } = {
  ...{ area: "shop", team: "checkout", app: "badged", env: "prod" },
};

/** A badge, as the service shows it. */
export interface Badge extends NewBadge {
  readonly id: string;
  readonly svg: string;
  readonly json: string;
}

/** Makes a badge. */
export async function badge(
  server: Server,
  fields: Partial<NewBadge> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Badge> {
  const wanted = { ...badged, shows: "score", ...fields };
  const { status, body } = await post(server, "/badges", wanted, { "content-type": "application/json", ...headers });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as unknown as Badge;
}

/** The token of a badge of an application that reports for it. */
export async function tokenOfBadge(server: Server): Promise<string> {
  const score = { ...badged, scorecard: "security", metric: "secret_scan", raw: { found: false } };
  await post(server, "/score", score);
  return /[^/]+(?=\.svg$)/.exec((await badge(server)).svg)?.[0] ?? "";
}
