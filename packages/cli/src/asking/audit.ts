import type { AuditEntry } from "@maturity/client";
import type { Column } from "@maturity/command-line/table";
import type { ListTable } from "./lists.ts";
import { scopeText } from "./words.ts";

/** Most characters of the details that a table shows; `--json` has all. */
const maxDetails = 200;

/** What was changed and by whom, the newest first. */
export const auditTable: ListTable = {
  noun: "action",
  open: (client, query) => client.audit(query),
  columns: (): Column<AuditEntry>[] => [
    { title: "when", text: ({ at }) => `${at.slice(0, 16).replace("T", " ")} UTC` },
    { title: "who", text: ({ actor }) => actor },
    { title: "action", text: ({ action }) => action },
    { title: "of", text: ({ area, ...names }) => (area === null ? "all" : scopeText({ area, ...names })) },
    { title: "details", text: ({ details }) => cut(detailsText(details)) },
  ],
};

/** The details of a action as `name=value`, but for objects that are no names; of a list of objects how many it has. */
function detailsText(details: object): string {
  return Object.entries(details)
    .flatMap(([name, value]) => {
      if (value === null || name === "id") return [];
      if (Array.isArray(value)) {
        const texts = value.every((one) => typeof one === "string");
        return [texts ? `${name}=${value.join(" ")}` : `${value.length} ${name}`];
      }
      if (typeof value === "object") return "area" in value ? [`${name}=${scopeText(value)}`] : [];
      return [`${name}=${value}`];
    })
    .join(", ");
}

function cut(text: string): string {
  return text.length > maxDetails ? `${text.slice(0, maxDetails).toWellFormed()}…` : text;
}
