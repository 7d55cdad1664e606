import type { ServerRoute } from "@hapi/hapi";
import { maxEntries, maxFaults } from "@maturity/core/wire";
import Joi from "joi";
import type { Knex } from "knex";
import { bodyRoute } from "../http/body.ts";
import { forAdmins, grantOf } from "../http/caller.ts";
import { deadlineOf } from "../http/deadline.ts";
import { entryList, readEntries, requireAllWithin } from "../http/entries.ts";
import { flag, querySchema, readQuery } from "../lists/query.ts";
import { type AppName, appName, isSameName, shownName } from "../model/app-name.ts";
import { name, strict, text, validated } from "../model/fields.ts";
import { actorOf, type Grant, isWithin, requireWithin } from "../model/grant.ts";
import { bodyOperation, count, jsonSchema, object, queryParameters, reference } from "../openapi/operation.ts";
import { type RegisteredApp, registerApps } from "../store/apps.ts";
import { recordAudit } from "../store/audit.ts";
import { primaryOf } from "../store/database.ts";
import { withStore } from "../store/failures.ts";
import { appRetired, ensureApplications, movedAway } from "../store/names.ts";
import { type AppsDependencies, appFields, inAdminTransaction, nameProperties } from "./admin-transaction.ts";
import { effectOf, effectSchema } from "./registration-effect.ts";

/** The largest number of names in the audit entry of one request. */
const maxAudited = 100;

/** Most labels of an application. */
const maxLabels = 50;

const entryBody = Joi.object<Partial<RegisteredApp> & AppName>({
  ...appFields,
  owner: name(200).description("The owner"),
  repo: name(2048).description("Address of its repository"),
  tier: name(200).description("How much depends on it, by whatever scale is in use"),
  labels: Joi.object()
    .pattern(name(200), text(0, 1_000))
    .max(maxLabels)
    .messages({
      "object.base": "must be an object of texts by name",
      "object.max": `must have at most ${maxLabels} labels`,
      "object.unknown": "must have a name of 1 to 200 printable characters, without a space at either end",
    })
    .description(`Any other facts, as texts by name; at most ${maxLabels}`),
}).prefs(strict);

const envelope = Joi.object({ apps: entryList }).prefs(strict);

const query = querySchema({
  dry_run: flag("Only shows the effect"),
});

const operation = bodyOperation({
  operationId: "registerApps",
  summary: "Register up to 1,000 applications in place of their former entries, all or none",
  parameters: queryParameters(query),
  request: "RegistryRequest",
  answers: { 200: ["Registered, or with `dry_run` what would be", "RegistryResponse"] },
  errors: ["app-retired"],
  schemas: {
    RegistryEntry: jsonSchema(entryBody),
    RegistryRequest: {
      oneOf: [
        reference("RegistryEntry"),
        {
          ...object({ apps: { type: "array", minItems: 1, maxItems: maxEntries, items: reference("RegistryEntry") } }),
          additionalProperties: false,
        },
      ],
    },
    RegistryResponse: object({
      registered: { ...count, description: "How many were not registered before" },
      changed: { ...count, description: "How many were registered with other facts" },
      unchanged: { ...count, description: "How many were registered so already" },
      moved: {
        type: "array",
        items: object({ ...nameProperties, moved_to: reference("AppName") }),
        description: "Those that have moved, and are registered under their new names",
      },
      effect: effectSchema,
    }),
  },
});

/** PUT /registry: registers applications, whether or not they have reported anything. */
export function registryRoute({ database, rules }: AppsDependencies): ServerRoute {
  return bodyRoute("PUT /registry", { auth: forAdmins, openapi: operation }, async (body, request) => {
    const { dry_run: isDry } = readQuery<{ readonly dry_run: boolean }>(query, request.query);
    const isList = "apps" in body;
    const entries = isList ? await readEntries("apps", validated(envelope, body).apps, readEntry) : [readEntry(body)];
    const pathOf = (index: number) => (isList ? `apps[${index}]` : "app");
    const grant = grantOf(request);
    if (isList) requireAllWithin(grant, entries, pathOf);
    else for (const entry of entries) requireWithin(grant, entry);
    const { signal } = deadlineOf(request.raw.req);
    return withStore(async () => {
      // By the primary, since the replica may not have the last tiers and labels yet.
      const effect = await effectOf(primaryOf(database), rules, entries);
      signal.throwIfAborted();
      return inAdminTransaction(database.decisions, request, async (trx) => {
        if (isDry) await trx.raw("SAVEPOINT before");
        const shown = await register(trx, { entries, pathOf, grant, effect });
        if (isDry) await trx.raw("ROLLBACK TO SAVEPOINT before");
        return shown;
      });
    }, signal);
  });
}

/** Entries of one request, with the path of each in the body. */
interface Entries {
  readonly entries: readonly RegisteredApp[];
  readonly pathOf: (index: number) => string;
  readonly grant: Grant;
  readonly effect: Awaited<ReturnType<typeof effectOf>>;
}

async function register(trx: Knex.Transaction, { entries, pathOf, grant, effect }: Entries): Promise<object> {
  const found = await ensureApplications(trx, entries);
  const items = entries.map((entry, index) => ({ ...entry, ...(found[index] as (typeof found)[number]) }));
  const refused = (isRefused: (item: (typeof items)[number]) => boolean) =>
    items.flatMap((item, index) => (isRefused(item) ? [{ name: appName(item), path: pathOf(index) }] : []));
  const retired = refused((item) => item.retired !== null);
  if (retired.length > 0) throw appRetired(retired.slice(0, maxFaults));
  const away = refused(({ name }) => !isWithin(grant, name));
  if (away.length > 0) throw movedAway(away.slice(0, maxFaults));
  const registered = await registerApps(trx, items);
  const { unchanged, ...done } = registered;
  if (items.length > unchanged) {
    const names = items.map(({ name }) => name);
    const moves = effect.apps.length > 0 && { effect };
    const details = { ...done, apps: names.slice(0, maxAudited).map(shownName), ...moves };
    await recordAudit(trx, { actor: actorOf(grant), action: "app.register", target: commonOf(names), details });
  }
  const moved = items.flatMap(({ name, ...entry }) =>
    isSameName(entry, name) ? [] : [{ ...appName(entry), moved_to: name }],
  );
  return { ...registered, moved, effect };
}

/** The levels of names that all applications share. */
function commonOf(apps: readonly AppName[]): Partial<AppName> {
  const common: Partial<Record<keyof AppName, string>> = {};
  for (const field of ["area", "team", "app"] as const) {
    const name = apps[0]?.[field];
    if (name === undefined || apps.some((app) => app[field] !== name)) break;
    common[field] = name;
  }
  return common;
}

function readEntry(body: object): RegisteredApp {
  return { owner: null, repo: null, tier: null, labels: {}, ...validated(entryBody, body) };
}
