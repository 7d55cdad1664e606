import { noSuch } from "../http/path-id.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { type Bounded, reachesInto, requireWithin } from "../model/grant.ts";
import { maxAcceptedDays, maxRequests, maxWaivers, requestDays } from "../model/limits.ts";
import type { Unstorable } from "../store/waiver-changes.ts";
import type { StoredWaiver } from "../store/waivers.ts";

/** The error for a waiver that cannot be stored or approved. */
export function unstorableWaiver(why: Unstorable, area: string): ServiceError {
  return refusals[why](`the area ${JSON.stringify(area)} has`);
}

const wrongEnd = (message: string) => () => invalidPayload([{ path: "expires_at", message }]);

const tooMany = (scopeHas: string, count: number, rest: string) =>
  new ServiceError("too-many-waivers", `${scopeHas} ${count.toLocaleString("en")} ${rest}`);

const inForce =
  "waivers in force or approved within the last day, the most there may be; waive a whole team or area at once";

const waiting = "requests for waivers that wait or were made within the last day, the most there may be";

const refusals: Readonly<Record<Unstorable, (areaHas: string) => ServiceError>> = {
  past: wrongEnd("must be ahead of now, by the database's clock; a request whose end is past can only be rejected"),
  far: wrongEnd(`must be at most ${maxAcceptedDays} days ahead; make another waiver then, after looking at it again`),
  "area-full": (areaHas) => tooMany(areaHas, maxWaivers.area, inForce),
  full: () => tooMany("there are", maxWaivers.all, inForce),
  "area-asked": (areaHas) => tooMany(areaHas, maxRequests.area, `${waiting}; let somebody decide them first`),
  "caller-asked": () => tooMany("you have", maxRequests.caller, `${waiting}; ask for a whole team or area at once`),
};

/** The error for a change of a waiver that is in another state. */
export function alreadyDecided(waiver: StoredWaiver): ServiceError {
  const message = `the waiver ${standingOf(waiver)}`;
  return new ServiceError("waiver-decided", message, {
    details: [{ path: "state", message: `is ${waiver.state}` }],
  });
}

function standingOf({ state, decided_at, decided_by, expires_at, revoked_at, revoked_by }: StoredWaiver): string {
  const at = (time: Date | null) => time?.toISOString().replace(/\.\d+/, "") ?? "";
  switch (state) {
    case "requested":
      return "is only requested; reject it, or withdraw it if you asked for it";
    case "approved":
      return `was approved by ${decided_by} at ${at(decided_at)}`;
    case "rejected":
      return `was rejected by ${decided_by} at ${at(decided_at)}`;
    case "revoked":
      return `was revoked by ${revoked_by} at ${at(revoked_at)}`;
    case "expired":
      return `expired at ${at(expires_at)}`;
    case "withdrawn":
      return decided_at === null
        ? `is withdrawn, because nobody decided within ${requestDays} days; ask for it again`
        : `was withdrawn by ${decided_by} at ${at(decided_at)}`;
  }
}

/** The error for an id of no waiver. */
export const noWaiver = (id: string): ServiceError => noSuch("waiver", id);

/**
 * Refuses a waiver beyond the bounds.
 *
 * @throws ServiceError `not-found` for one that the caller may not see, else `forbidden`
 */
export function requireWaiverWithin(grant: Bounded, waiver: StoredWaiver): void {
  const { id, area, team, app } = waiver;
  const names = { area, ...(team !== null && { team }), ...(app !== null && { app }) };
  if (!reachesInto(grant, names)) throw noWaiver(id);
  requireWithin(grant, waiver);
}
