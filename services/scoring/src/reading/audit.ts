import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import sql from "sql-template-tag";
import { itemFields } from "../lists/items.ts";
import { during, type Period, periodFaults, periodParameters } from "../lists/period.ts";
import { several, targetFilter } from "../lists/query.ts";
import { type Order, tableRoute } from "../lists/table.ts";
import { text } from "../model/fields.ts";
import { type Bounds, narrow, partsWith } from "../model/grant.ts";
import type { NameFilter } from "../model/target-filter.ts";
import { type Json, object, textOrNull } from "../openapi/operation.ts";
import { type AuditAction, type AuditKind, auditActions, auditKinds } from "../store/audit.ts";
import { isOneOf } from "../store/conditions.ts";
import type { Database } from "../store/database.ts";
import { textOf } from "./audit-text.ts";
import { concerning, type Detailed, visibleDetails, visibleTo } from "./audit-visible.ts";

/** The newest first, by the expression of an index. */
const newestFirst: Order = [["-id", "bigint"]];

interface AuditQuery extends NameFilter, Period {
  readonly actor?: readonly string[];
  readonly kind?: readonly AuditKind[];
  readonly action?: readonly AuditAction[];
  /** The bounds within which the caller has the scope `admin`. */
  readonly admin?: readonly Bounds[];
}

const schema = object({
  at: { ...itemFields.time, description: "By the database's clock" },
  actor: {
    type: "string",
    description:
      "The name of the token or pipeline; `anybody` without authentication; of a command `maturity-service` and the user of the operating system",
  },
  action: { enum: auditActions },
  ...{ area: { ...textOrNull, description: "What changed; null where it has no such name" }, team: textOrNull },
  ...{ app: textOrNull, env: textOrNull },
  text: {
    type: "string",
    description: "What was done, in plain words after the name of the actor, as far as the caller may know it",
  },
  details: { type: "object", description: "Further facts, which differ by action and by what the caller may know" },
  id: { type: "integer", description: "Grows from entry to entry" },
});

const example: Json = {
  ...{ id: 41, at: "2026-03-01T08:15:00.000Z", actor: "ann@example.com (https://idp.example.com)" },
  ...{ action: "waiver.approve", area: "shop", team: "checkout", app: "cart", env: null },
  text: "approved a waiver of security.dast for shop/checkout/cart until 30 November 2026, which bob asked for",
  details: {
    ...{ id: "0195e1f4-3c1a-7c22-9d1e-2f8f4f0a1b11", kind: "accepted", scorecard: "security", metric: "dast" },
    ...{ reason: "no staging yet", owner: "bob", expires_at: "2026-11-30T00:00:00.000Z", requested_by: "bob" },
  },
};

/** GET /audit */
export function auditRoute(database: Database): ServerRoute {
  return tableRoute<AuditQuery, Json, Detailed>(database, {
    path: "/audit",
    operationId: "listAudit",
    summary:
      "What was changed other than by reports, and by whom, the newest first, as far as it concerns what the caller may read. Tokens, sessions and imports need the scope `admin`",
    parameters: {
      area: targetFilter.area.description("Only what concerns these areas; rules concern all"),
      team: targetFilter.team.description("Only what concerns these teams, be it a waiver or a move of their area"),
      app: targetFilter.app.description(
        "Only what concerns these apps, be it a waiver or a move of their team or area",
      ),
      env: targetFilter.env.description("Only what concerns these environments alone, and waivers of all"),
      actor: several(text(1, 1_000)).description("Only by these"),
      kind: several(Joi.valid(...Object.keys(auditKinds))).description("Only actions about these"),
      action: several(Joi.valid(...auditActions)).description("Only these actions"),
      ...periodParameters,
    },
    check: periodFaults,
    item: { name: "AuditEntry", schema, example },
    isEmpty: () => false, // what was done under a name stays, wherever that is now
    ofCaller(_, caller) {
      const admin = partsWith(caller, ["admin"]).parts.map(({ bounds }) => bounds);
      return admin.length > 0 ? { admin } : {};
    },
    select({ since, until, actor, kind, action, admin = [], ...filter }, grant) {
      narrow(grant, filter); // refuses a filter outside the bounds
      const ofKind = kind?.flatMap((one) => auditKinds[one]);
      return {
        from: sql`audit`,
        where: [
          ...visibleTo(admin),
          ...concerning(filter, narrow(grant, {})),
          ...isOneOf({ actor, action }),
          ...isOneOf({ action: ofKind }),
          ...during({ since, until }),
        ],
        order: newestFirst,
        columns: "id, at, actor, action, area, team, app, env",
        large: "details",
      };
    },
    show(entry, { admin = [] }, grant) {
      const visible = { ...entry, details: visibleDetails(entry, grant, admin) };
      return { ...visible, text: textOf(visible) };
    },
  });
}
