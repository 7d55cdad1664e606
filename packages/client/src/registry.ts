import { maxBodyBytes, maxBodyValues, maxEntries } from "@maturity/core/wire"; // bundled: the client has no dependency on core
import { batchesOf } from "./batches.ts";
import type { CallOptions, Connection, Effect } from "./caller.ts";
import { MaturityClientError } from "./errors.ts";
import { inList } from "./in-list.ts";
import { type FormerName, type Listing, listing, orOlder, type Query, type RegisteredApp } from "./listing.ts";
import type { components } from "./openapi.generated.ts";

/** An application to register. What is left out is not known, and replaces what was. */
export type RegistryEntry = components["schemas"]["RegistryEntry"];
/** The number of registered applications, those that have moved, and what new tiers and labels do to scores. */
export type Registered = components["schemas"]["RegistryResponse"];
/** An area, a team or an application, and its new name of the same depth. */
export type Move = components["schemas"]["MoveRequest"];
/** The effect of a move, or with `dry_run` the effect that it would have. */
export type Moved = components["schemas"]["MoveResponse"];
/** An application to retire, or one of its environments, and why. */
export type Retirement = components["schemas"]["RetireAppRequest"];
/** An application to restore, or one of its environments. */
export type Restoration = components["schemas"]["RestoreAppRequest"];
/** The effect of a retirement or restoration, or with `dry_run` the effect that it would have. */
export type Retired = components["schemas"]["RetireResponse"];

/** Calls that register, move and retire applications. */
export interface Registry {
  /** The registered applications, with `retired` the retired ones, or with `held` those that wait to be registered. */
  registry(query?: Query<"/registry">, options?: CallOptions): Listing<RegisteredApp>;
  /**
   * Registers any number of applications in place of their former entries, in requests of up to 1,000, each stored all or
   * none. After an error `stored` of it says how many of the first are registered all the same. With `dryRun` it only says the
   * effect.
   */
  register(apps: readonly RegistryEntry[], options?: CallOptions & { readonly dryRun?: boolean }): Promise<Registered>;
  /** Moves an area, a team or an application with all that is stored. Later reports under its old name are stored under the new one. */
  move(move: Move, options?: CallOptions): Promise<Moved>;
  /** Takes an application, or one of its environments, out of scores, scrapes and alerts. */
  retire(retirement: Retirement, options?: CallOptions): Promise<Retired>;
  /** Brings a retired application, or a retired environment, back. */
  restore(restoration: Restoration, options?: CallOptions): Promise<Retired>;
  /** Former names, with the last use of each. */
  formerNames(query?: Query<"/former-names">, options?: CallOptions): Listing<FormerName>;
}

/** As many applications of an effect a single answer lists. */
const maxEffects = 100;

/** These calls over a connection. */
export function registryOf(caller: Connection): Registry {
  const { api, call } = caller;
  const effectOf = (body: { dry_run?: boolean }): Effect => (body.dry_run ? "reads" : "makes");
  return {
    registry: (query, options) => listing(caller, "/registry", query, options),

    async register(apps, { dryRun = false, ...options } = {}) {
      const effect = { rescored: 0, lose_level: 0, exempted: 0, apps: [] as Registered["effect"]["apps"] };
      const all = { registered: 0, changed: 0, unchanged: 0, moved: [] as Registered["moved"], effect };
      const params = dryRun ? { params: { query: { dry_run: true } } } : {};
      for (const { offset, items } of batchesOf(apps, maxEntries, maxBodyBytes, maxBodyValues)) {
        try {
          const body = { apps: [...items] };
          const done = await orOlder(
            "/registry",
            call<Registered>(
              dryRun ? "reads" : "sets",
              "registered",
              (init) => api.PUT("/registry", { ...init, ...params, body }),
              options,
            ),
          );
          all.registered += done.registered;
          all.changed += done.changed;
          all.unchanged += done.unchanged;
          all.moved.push(...done.moved);
          for (const count of ["rescored", "lose_level", "exempted"] as const)
            effect[count] += done.effect?.[count] ?? 0;
          effect.apps.push(...(done.effect?.apps ?? []).slice(0, maxEffects - effect.apps.length));
        } catch (error) {
          throw error instanceof MaturityClientError ? inList(error, "apps", offset) : error;
        }
      }
      return all;
    },

    move: (body, options) =>
      call<Moved>(effectOf(body), "dry_run", (init) => api.POST("/apps/move", { ...init, body }), options),
    retire: (body, options) =>
      call<Retired>(effectOf(body), "dry_run", (init) => api.POST("/apps/retire", { ...init, body }), options),
    restore: (body, options) =>
      call<Retired>(effectOf(body), "dry_run", (init) => api.POST("/apps/restore", { ...init, body }), options),
    formerNames: (query, options) => listing(caller, "/former-names", query, options),
  };
}
