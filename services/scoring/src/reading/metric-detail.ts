import type { Exemption, Freshness, Reason } from "@maturity/core";
import { itemFields } from "../lists/items.ts";
import { waiverFields } from "../lists/waiver-schema.ts";
import type { NewScore } from "../model/rescore.ts";
import { type Json, object, textOrNull } from "../openapi/operation.ts";
import type { StoredWaiver } from "../store/waivers.ts";
import { gainFields, type ShownGain } from "./gain.ts";
import { reasonsSchema } from "./reasons.ts";

/** A metric of an application. Of one that never reported only the first four fields are known. */
export interface MetricDetail extends ShownGain {
  readonly scorecard: string;
  readonly metric: string;
  readonly weight: number;
  readonly state: Freshness | "missing" | "waived" | Exemption["exempt"];
  /** The waiver that covers it; only in the state `waived`. */
  readonly waiver?: Pick<StoredWaiver, "id" | "kind" | "reason" | "owner" | "expires_at">;
  /** Why the policy exempts it; only in the states `not_applicable` and `announced`. */
  readonly exempt_because?: string;
  readonly score?: number;
  readonly reasons?: readonly Reason[] | null;
  readonly raw?: object;
  readonly measured_at?: Date;
  readonly reported_at?: Date;
  readonly scorer?: string;
  /** The score by today's rules, if another version made the stored one; null if they refuse the result. */
  readonly rescored?: NewScore | null;
  readonly pipeline_id?: string | null;
  readonly project_repo?: string | null;
}

/** The states of a metric that the policy exempts: it does not apply, or it counts from a later day on. */
export const exemptStates: readonly ["not_applicable", "announced"] = ["not_applicable", "announced"];

const { scorecard, metric, score, time } = itemFields;

/** JSON Schema of a `MetricDetail`. */
export const metricDetailSchema: Json = object(
  {
    ...{ scorecard, metric },
    weight: { type: "number", description: "Relative to the other metrics of the scorecard" },
    state: {
      enum: ["fresh", "late", "stale", "missing", "waived", ...exemptStates],
      description:
        "How old it is, by what its metric allows; `missing` if it never reported; `waived` if a waiver keeps it from counting, reported or not; `not_applicable` or `announced` if the policy does",
    },
  },
  {
    waiver: {
      ...object({
        ...{ id: waiverFields.id, kind: waiverFields.kind, reason: waiverFields.reason },
        ...{ owner: waiverFields.owner, expires_at: waiverFields.expires_at },
      }),
      description: "What waives it; only in the state `waived`",
    },
    exempt_because: {
      type: "string",
      description:
        "Why the policy exempts it, such as `not for kind=batch, by policy`; only in the states `not_applicable` and `announced`",
    },
    ...{ score, reasons: reasonsSchema },
    raw: { type: "object", description: "The values of the result, as reported" },
    measured_at: { ...time, description: "When the result was measured; its age counts from then" },
    reported_at: { ...time, description: "When it was reported" },
    scorer: { type: "string", description: "The package that computed the score, with its version" },
    rescored: {
      ...object({ score, scorer: { type: "string" }, reasons: reasonsSchema }),
      type: ["object", "null"],
      description:
        "What today's rules make of `raw`, if another version of a package made the score; null if they refuse it. It counts from the next report on, or once a replay is applied",
    },
    ...{ pipeline_id: textOrNull, project_repo: textOrNull },
    ...gainFields,
  },
);
