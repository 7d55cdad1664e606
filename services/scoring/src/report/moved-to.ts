import { type AppName, appName } from "../model/app-name.ts";
import { isWithin, type Reach } from "../model/grant.ts";
import { type Json, object, reference } from "../openapi/operation.ts";
import { isSameName } from "../store/names.ts";

/**
 * What an answer adds if the report was stored under another name than the one it was sent under. What has left the bounds
 * of the caller takes his reports still, but what it is called now is not his to know.
 */
export function movedTo(reach: Reach, sent: AppName, stored: AppName = sent): { readonly moved_to?: AppName } {
  return isSameName(sent, stored) || !isWithin(reach, stored) ? {} : { moved_to: appName(stored) };
}

const text: Json = { type: "string" };

/** The schema of a name that an application has now. */
export const movedToSchema: Json = { AppName: object({ area: text, team: text, app: text }) };

/** Adds `moved_to` to the schema of an answer. */
export function withMovedTo(schema: Json): Json {
  const moved_to = {
    ...reference("AppName"),
    description:
      "The name under which it is stored, if the application has moved and this name is within the bounds of the token",
  };
  return { ...schema, properties: { ...(schema.properties as Json), moved_to } };
}
