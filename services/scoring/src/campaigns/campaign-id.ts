import { ServiceError } from "../model/errors.ts";
import { waiverId } from "../model/waiver.ts";
import { type Json, pathParameter } from "../openapi/operation.ts";

/** The id in the path, for the description of a route. */
export const idParameter: Json = pathParameter("id", "Of the campaign", "uuid");

/** An id that has the form of one. @throws ServiceError `not-found` */
export function checkedId(id: unknown): string {
  const text = String(id);
  if (!waiverId.test(text)) throw noCampaign(text);
  return text;
}

/** The error for an id of no campaign, or of one with which the caller has nothing to do. */
export function noCampaign(id: string): ServiceError {
  return new ServiceError(
    "not-found",
    `there is no campaign with the id ${JSON.stringify(id.slice(0, 100).toWellFormed())}, or nothing of it is within the bounds of this token`,
  );
}
