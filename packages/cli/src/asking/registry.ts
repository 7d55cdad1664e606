import type { FormerName, RegisteredApp } from "@maturity/client";
import type { Column } from "@maturity/command-line/table";
import { type ListTable, named } from "./lists.ts";
import { age, scopeText } from "./words.ts";

const facts: readonly Column<RegisteredApp>[] = (["owner", "tier", "repo"] as const).map((field) => ({
  title: field,
  text: (app) => app[field] ?? "",
  isOptional: true,
}));

/** A list of the registry. @param columns those beside the names; `ago` words a time, if there is one */
function registryTable(
  noun: string,
  columns: (ago: (at: string | null) => string) => readonly Column<RegisteredApp>[],
): ListTable {
  return {
    noun,
    open: (client, query) => client.registry(query),
    columns: (_, asOf): Column<RegisteredApp>[] => [
      ...named<RegisteredApp>("area", "team", "app"),
      ...columns((at) => (at === null ? "" : `${age(at, asOf)} ago`)),
    ],
  };
}

/** The applications that are registered. */
export const registeredApps: ListTable = registryTable("registered application", (ago) => [
  ...facts,
  { title: "registered", text: ({ registered_at }) => ago(registered_at), isOptional: true },
]);

/** The applications, and the environments alone, that are retired. */
export const retiredApps: ListTable = registryTable("retired application", (ago) => [
  { title: "env", text: ({ env }) => env ?? "", isOptional: true },
  { title: "retired", text: ({ retired_at }) => ago(retired_at) },
  { title: "reason", text: ({ reason }) => reason ?? "" },
  ...facts,
]);

/** The applications that reported and that nobody registered, where these are held. */
export const heldApps: ListTable = registryTable("held application", (ago) => [
  { title: "held", text: ({ held_since }) => ago(held_since) },
]);

/** The names that moves have left behind. */
export const formerNames: ListTable = {
  noun: "former name",
  open: (client, query) => client.formerNames(query),
  columns: (_, asOf): Column<FormerName>[] => [
    { title: "former name", text: scopeText },
    { title: "name", text: ({ moved_to }) => scopeText(moved_to) },
    { title: "moved", text: ({ moved_at }) => `${age(moved_at, asOf)} ago` },
    { title: "last used", text: ({ used_at }) => (used_at === null ? "never" : `${age(used_at, asOf)} ago`) },
  ],
};
