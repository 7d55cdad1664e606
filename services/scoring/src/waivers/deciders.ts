import { ServiceError } from "../model/errors.ts";
import { assertSeparationOfDuties, type Grant, unlimited } from "../model/grant.ts";
import type { LockedWaiver } from "../store/waiver-changes.ts";

/**
 * Checks that a caller may decide a request: nobody decides his own, whatever the scopes. Callers differ by their
 * keys and by their names, because a person may have several keys. Upper and lower case do not make another name, because a
 * provider may write the same e-mail address in several ways.
 *
 * @param grant with all its parts
 * @throws ServiceError `forbidden`
 */
export function requireDecider({ waiver, requester }: LockedWaiver, grant: Grant): void {
  if (grant === unlimited) {
    throw new ServiceError(
      "forbidden",
      "without AUTH all callers are the same, so nobody can decide for somebody else; make the waiver with the state approved, or set AUTH",
    );
  }
  assertSeparationOfDuties(grant);
  if (grant.caller !== requester && folded(grant.name) !== folded(waiver.requested_by)) return;
  throw new ServiceError("forbidden", "you asked for this waiver yourself, so somebody else has to decide it");
}

/** A name in the form in which `isDecidableBy` of the list compares it, too. */
export function folded(name: string): string {
  return name.toLowerCase();
}

/** @throws ServiceError `forbidden` unless this caller asked for the waiver */
export function requireAsker({ waiver, requester }: LockedWaiver, { caller, name }: Grant): void {
  if (requester === null ? name === waiver.requested_by : caller === requester) return;
  throw new ServiceError("forbidden", "only the caller that asked for a waiver withdraws it; others reject it");
}
