import type { AnySubmission, Client, RegisteredApp } from "@maturity/client";
import type { Target } from "@maturity/core";

/** An application, or one of its environments. */
type Name = Omit<Target, "env"> & { readonly env?: string };

/** The entry by which an application as a whole, or this environment of it, is retired; undefined if it is not. */
export async function findRetired(
  client: Client<AnySubmission>,
  { env, ...app }: Name,
): Promise<RegisteredApp | undefined> {
  const retired = await client.registry({ ...app, retired: true }).toArray();
  return retired.find((entry) => entry.env === null || entry.env === env);
}

/** Says that it is retired, in the words in which the service refuses its reports. */
export function retiredText({ area, team, app, env }: RegisteredApp): string {
  const name = `${area}/${team}/${app}${env === null ? "" : ` (${env})`}`;
  return `${name} is retired; maturity app restore brings it back, with all that was stored of it`;
}
