import { maxBodyBytes, maxEntries } from "@maturity/core"; // bundled: whoever installs the client installs no core
import { batchesOf } from "./batches.ts";
import type { Caller, CallOptions } from "./caller.ts";
import { MaturityClientError } from "./errors.ts";
import { inList } from "./in-list.ts";
import { type Listing, listing, orOlder, type Query, type RegisteredApp } from "./listing.ts";
import type { components } from "./openapi.generated.ts";

/** An application to register. What is left out is not known, and replaces what was. */
export type RegistryEntry = components["schemas"]["RegistryEntry"];
/** How many applications were registered, and which of them have moved. */
export type Registered = components["schemas"]["RegistryResponse"];
/** The calls by which applications are registered. */
export interface Registry {
  /** What is registered, or with `retired` what is retired. */
  registry(query?: Query<"/registry">, options?: CallOptions): Listing<RegisteredApp>;
  /**
   * Registers any number of applications in place of their former entries, in requests of up to 1,000, each stored all or
   * none. After an error `stored` of it says how many of the first are registered all the same.
   */
  register(apps: readonly RegistryEntry[], options?: CallOptions): Promise<Registered>;
}

/** The calls of a client by this caller. */
export function registryOf(caller: Caller): Registry {
  const { api, call } = caller;
  return {
    registry: (query, options) => listing(caller, "/registry", query, options),

    async register(apps, options) {
      const all = { registered: 0, changed: 0, unchanged: 0, moved: [] as Registered["moved"] };
      for (const { offset, items } of batchesOf(apps, maxEntries, maxBodyBytes)) {
        try {
          const body = { apps: [...items] };
          const done = await orOlder(
            "/registry",
            call<Registered>("registered", (init) => api.PUT("/registry", { ...init, body }), options),
          );
          all.registered += done.registered;
          all.changed += done.changed;
          all.unchanged += done.unchanged;
          all.moved.push(...done.moved);
        } catch (error) {
          throw error instanceof MaturityClientError ? inList(error, "apps", offset) : error;
        }
      }
      return all;
    },
  };
}
