import type { ServerRoute } from "@hapi/hapi";
import type { Target } from "@maturity/core";
import Joi from "joi";
import { forAdmins } from "../http/caller.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { during, type Period, periodFaults, periodParameters } from "../lists/period.ts";
import { several, targetFilter } from "../lists/query.ts";
import type { Streams } from "../lists/streams.ts";
import { isOneOf, type Order, readPage, within } from "../lists/table.ts";
import { invalidPayload } from "../model/errors.ts";
import { text } from "../model/fields.ts";
import { type Bounded, isWithin, narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { type Json, object } from "../openapi/operation.ts";
import { type AuditAction, auditActions } from "../store/audit.ts";
import type { Database } from "../store/database.ts";

/** The newest first, by the expression of an index. */
const newestFirst: Order = [["-id", "bigint"]];

interface AuditQuery extends TargetFilter, Period {
  readonly actor?: readonly string[];
  readonly action?: readonly AuditAction[];
}

/** An entry of GET /audit. */
interface ShownEntry extends Readonly<Record<keyof Target, string | null>> {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: AuditAction;
  readonly details: Readonly<Record<string, unknown>>;
}

const name: Json = { type: ["string", "null"] };

const schema = object({
  at: { ...itemFields.time, description: "By the database's clock" },
  actor: {
    type: "string",
    description:
      "The name of the token or pipeline; `anybody` without authentication; of a command `maturity-service` and the user of the operating system",
  },
  action: { enum: auditActions },
  ...{ area: { ...name, description: "What changed; null where it has no such name" }, team: name },
  ...{ app: name, env: name },
  details: { type: "object", description: "Further facts, which differ by action" },
  id: { type: "integer", description: "Grows from entry to entry" },
});

const example: Json = {
  ...{ id: 41, at: "2026-03-01T08:15:00.000Z", actor: "maturity-service (ann)" },
  ...{ action: "token.create", area: "shop", team: null, app: null, env: null },
  details: { id: 7, name: "ci", scopes: ["score:write"], expires_at: null },
};

/** Leaves out the new name of a move if it is outside the bounds of the caller. */
function visibleDetails({ action, details }: ShownEntry, grant: Bounded): ShownEntry["details"] {
  const { to, ...visible } = details;
  return action === "app.move" && !isWithin(grant, to as Partial<Target>) ? visible : details;
}

/** GET /audit */
export function auditRoute(database: Database, streams: Streams): ServerRoute {
  return listRoute<AuditQuery, ShownEntry>(
    {
      path: "/audit",
      operationId: "listAudit",
      summary: "All changes other than reports, with their actors, the newest first. Needs the scope `admin`",
      access: forAdmins,
      parameters: {
        ...targetFilter,
        actor: several(text(1, 1_000)).description("Only by these"),
        action: several(Joi.valid(...auditActions)).description("Only these actions"),
        ...periodParameters,
      },
      check(query) {
        const faults = periodFaults(query);
        if (faults.length > 0) throw invalidPayload(faults);
      },
      item: { name: "AuditEntry", schema, example },
      async read({ since, until, actor, action, ...filter }, grant, paging) {
        const page = await readPage<ShownEntry>(
          database,
          {
            from: ["audit"],
            where: [
              ...within(narrow(grant, filter)),
              ...isOneOf("actor", actor),
              ...isOneOf("action", action),
              ...during({ since, until }),
            ],
            order: newestFirst,
            columns: "id, at, actor, action, area, team, app, env",
            large: "details",
          },
          paging,
        );
        return { ...page, items: page.items.map((entry) => ({ ...entry, details: visibleDetails(entry, grant) })) };
      },
    },
    streams,
  );
}
