import { expect, test } from "vitest";
import { columnsOf, type TableName } from "../src/transfer/kinds.ts";
import { query } from "./support/postgres.ts";
import { createDatabase } from "./support/service.ts";

/** Ids are of one database alone: rows name what they are of. */
const ids = new Set(["id", "application_id", "target_id", "metric_id", "problem_id"]);

/** Where the columns of a table of the store stand in an export, by the names that they have there. */
const carriedOf: Readonly<Record<string, { in: readonly TableName[]; as?: Readonly<Record<string, string>> }>> = {
  applications: { in: ["apps"], as: { retired_because: "reason" } },
  names: { in: ["former_names"], as: { since: "moved_at" } },
  former_groups: { in: ["former_names"] },
  targets: { in: ["retired_envs"], as: { retired_because: "reason" } },
  metrics: { in: ["scores"] },
  scores: { in: ["scores"] },
  problems: { in: ["problems"] },
  score_changes: { in: ["score_changes"] },
  roll_up_targets: { in: ["roll_up_days"] },
  roll_up_days: { in: ["roll_up_days"] },
  waivers: { in: ["waivers"] },
};

/** The columns that an export does not carry, and why they are left out. */
const columnsLeftOut: Readonly<Record<string, readonly string[]>> = {
  "made of the names": ["targets.labels", "metrics.labels"],
  "made of the decision": ["waivers.created_at", "waivers.ends_at"],
};

/** The tables that an export does not carry, and why they are left out. */
const tablesLeftOut: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["scores_by_name", "problems_by_name", "waivers_by_name", "roll_up_targets_by_name", "former_names"].map((view) => [
      view,
      "a view",
    ]),
  ),
  roll_ups_again: "says which recorded days this database has still to write again",
  roll_ups_until: "says up to which day this database has written roll-ups",
  notification_threads: "point to messages of the chat that this installation sends to",
  notifications: "wait for this installation to send them; carried, they would be sent twice",
  notification_addresses: "say until when this installation rests",
  reported_changes: "wait for this installation to announce them",
  known_levels: "say which levels this installation has announced",
  levels_compared: "says up to when this installation has compared levels",
