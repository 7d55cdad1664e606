import type { AuditEntry } from "@maturity/client";
import type { Column } from "@maturity/command-line/table";
import type { ListTable } from "./lists.ts";

/** What was changed and by whom, the newest first. */
export const auditTable: ListTable = {
  noun: "action",
  open: (client, query) => client.audit(query),
  columns: (): Column<AuditEntry>[] => [
    { title: "when", text: ({ at }) => `${at.slice(0, 16).replace("T", " ")} UTC` },
    { title: "who", text: ({ actor }) => actor },
    { title: "what", text: ({ text, action }) => text ?? action }, // an older service says nothing in words
  ],
};
