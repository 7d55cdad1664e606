import type { AnySubmission, Client, Registered } from "@maturity/client";
import type { Registry } from "./plan.ts";
import { type FoundApp, placeText } from "./reading.ts";

/** Above this number of areas the whole registry is read, since an address has a maximum length. */
const maxAreas = 50;

/** Reads from the service which applications are registered in the areas of these, and which names were moved. */
export async function registryOf(
  client: Pick<Client<AnySubmission>, "formerNames" | "registry">,
  apps: readonly FoundApp[],
): Promise<Registry> {
  const formerNames = await client.formerNames().toArray();
  const moved = formerNames.map(({ moved_to }) => moved_to.area);
  const areas = [...new Set([...apps.map(({ entry }) => entry.area), ...moved])];
  const query = areas.length <= maxAreas ? { area: areas } : {};
  const [registered, retired] = await Promise.all([
    client.registry(query).toArray(),
    client.registry({ ...query, retired: true }).toArray(),
  ]);
  return { registered, retired: retired.filter(({ env }) => env === null), formerNames };
}

/**
 * Registers applications, or with `dryRun` only says what that would do to scores and exemptions.
 *
 * @throws MaturityClientError. Where the service refuses an application, `details` has its place in the files
 */
export async function register(
  client: Pick<Client<AnySubmission>, "register">,
  apps: readonly FoundApp[],
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<Registered["effect"]> {
  try {
    const { effect } = await client.register(
      apps.map(({ entry }) => entry),
      { dryRun },
    );
    return effect;
  } catch (error) {
    const { details } = error as { readonly details?: readonly { readonly path: string; readonly message: string }[] };
    const faults = (details ?? []).flatMap(({ path, message }) => {
      const [, index = "", field = ""] = /^apps\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
      const found = apps[Number(index)];
      return index && found ? [{ path: placeText(found), message: `${field} ${message}`.trim() }] : [];
    });
    if (!(error instanceof Error) || faults.length === 0) throw error;
    const message = faults.map(({ path, message }) => `${path} ${message}`).join("; ");
    throw Object.assign(error, { details: faults, message });
  }
}
