import type { Request } from "@hapi/hapi";
import { waiverId } from "../model/waiver.ts";
import { type Json, pathParameter } from "../openapi/operation.ts";
import { noWaiver } from "./refusals.ts";

/** The id in the path, for the description of a route. */
export const idParameter: Json = pathParameter("id", "Of the waiver", "uuid");

/** The id in the path of a request. @throws ServiceError `not-found` if it has not the form of one */
export function idOf(request: Request): string {
  const id = String(request.params.id);
  if (!waiverId.test(id)) throw noWaiver(id);
  return id;
}
