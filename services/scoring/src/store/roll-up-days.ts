import { keyOf } from "./key.ts";

/** What a roll-up is of: an area, a team or an application, in one environment. */
export interface RollUpTarget {
  readonly area: string;
  readonly team?: string | undefined;
  readonly app?: string | undefined;
  readonly env: string;
}

/** The key of a target within its area. */
export function targetKey({ team, app, env }: RollUpTarget): string {
  return keyOf([team, app, env].filter((name) => name !== undefined));
}
