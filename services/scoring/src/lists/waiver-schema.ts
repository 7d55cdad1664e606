import { waiverKinds, waiverStates } from "../model/waiver.ts";
import { type Json, object, text, textOrNull, timeOrNull } from "../openapi/operation.ts";
import type { StoredWaiver } from "../store/waivers.ts";
import { itemFields } from "./items.ts";

const all: Json = { ...textOrNull, description: "null means all" };

/** The fields of a stored waiver, as JSON Schemas. */
export const waiverFields: Readonly<Record<keyof StoredWaiver, Json>> = {
  id: { type: "string", format: "uuid" },
  kind: { enum: waiverKinds },
  area: itemFields.area,
  ...{ team: all, app: all, env: all },
  scorecard: { ...all, description: "The scorecard that is waived; null if it is a kind of problem" },
  metric: { ...all, description: "The metric that is waived; null means all of the scorecard" },
  problem_type: { ...all, description: "The kind of problem that is waived; null if it is a scorecard" },
  reason: { ...text, description: "Why" },
  owner: { ...text, description: "Who answers for it" },
  state: {
    enum: waiverStates,
    description:
      "Only what is `approved` waives anything. `withdrawn`: by the caller that asked, or by the service where nobody decided within 30 days; `decided_at` is null for up to a minute then",
  },
  evidence: { type: ["string", "null"], format: "uri", description: "Where the evidence can be read" },
  extends: { type: ["string", "null"], format: "uuid", description: "The id of the waiver that it extends" },
  requested_at: { ...itemFields.time, description: "When it was asked for, or made without a request" },
  requested_by: { ...text, description: "The name of the person, token or pipeline that asked for it" },
  decided_at: { ...timeOrNull, description: "When it was approved, rejected or withdrawn; null if it was not" },
  decided_by: {
    ...textOrNull,
    description: "The name of the person, token or pipeline that approved, rejected or withdrew it",
  },
  comment: { ...textOrNull, description: "What was said with the decision" },
  created_at: { ...timeOrNull, description: "When it came into force: at its approval; null if it never did" },
  created_by: { ...textOrNull, description: "The name of the person, token or pipeline that approved it" },
  expires_at: { ...timeOrNull, description: "When it ends; null if only a revocation ends it" },
  revoked_at: { ...timeOrNull, description: "When it was revoked; null if it was not" },
  revoked_by: { ...textOrNull, description: "The name of the token or pipeline that revoked it" },
};

/** A stored waiver, as JSON Schema. */
export const waiverSchema: Json = object(waiverFields);

export const waiverExample: Json = {
  ...{ id: "0195e1f4-6c1b-4d2a-9d55-1f6a0c2f7b3e", state: "approved", kind: "accepted" },
  ...{ area: "shop", team: "checkout", app: "cart", env: null },
  ...{ scorecard: "security", metric: "dast", problem_type: null },
  ...{ reason: "the staging environment is rebuilt until May", owner: "ann" },
  ...{ evidence: "https://git.example.com/shop/cart/issues/12", extends: null },
  ...{ requested_at: "2026-02-27T16:40:00.000Z", requested_by: "ben@example.com" },
  ...{ decided_at: "2026-03-01T08:15:00.000Z", decided_by: "security office", comment: "until the move is done" },
  ...{ created_at: "2026-03-01T08:15:00.000Z", created_by: "security office" },
  ...{ expires_at: "2026-05-01T00:00:00.000Z", revoked_at: null, revoked_by: null },
};
