import { nameFault } from "@maturity/core/wire";
import { type Entity, optionalText } from "./entities.ts";
import { type EntityRef, entityRef, quoted, refKey } from "./entity-ref.ts";
import { type AppEntry, type FoundApp, type PassedOver, PassOver } from "./reading.ts";

/** What the files do not say. */
export interface CatalogOptions {
  /** The area of what has no system with a domain. */
  readonly area?: string | undefined;
}

/** The applications of the components in catalog files. All files belong together: a component may name a system of another file. */
export async function appsOf(
  entities: readonly Entity[],
  options: CatalogOptions,
): Promise<{ readonly apps: readonly FoundApp[]; readonly passedOver: readonly PassedOver[] }> {
  const known = new Map<string, Entity>();
  const apps: FoundApp[] = [];
  const passedOver: PassedOver[] = [];
  const pass = ({ kind, name, file, line }: Entity, why: string, isOther: boolean) =>
    passedOver.push({ file, line, what: `${kind} ${name}`, why, ...(isOther && { kind }) });
  const unique = entities.filter((entity) => {
    const key = refKey({ ...entity });
    const first = known.get(key);
    if (first) pass(entity, `${key} stands in ${first.file}:${first.line} already`, false);
    else known.set(key, entity);
    return !first;
  });
  for (const entity of unique) {
    if (entity.kind.toLowerCase() !== "component") {
      if (entity.kind.toLowerCase() !== "location") pass(entity, "only a Component is an application", true);
      continue;
    }
    try {
      apps.push(await appOf(entity, known, options));
    } catch (error) {
      if (!(error instanceof PassOver)) throw error;
      pass(entity, error.message, false);
    }
  }
  return { apps, passedOver };
}

async function appOf(entity: Entity, known: Known, options: CatalogOptions): Promise<FoundApp> {
  const { field, namespace, name, file, line } = entity;
  const owner = await field("spec", "owner");
  if (owner === undefined) throw new PassOver("spec.owner is missing, so its team is not known");
  const team = entityRef(owner, "spec.owner", { kind: "group", namespace });
  const { area, note } = await areaOf(entity, known, options);
  const labels = await textsOf(entity, "labels");
  const repo = repoOf(await textsOf(entity, "annotations"));
  const entry: AppEntry = {
    area,
    team: spelling(team, known),
    app: name,
    ...(typeof owner === "string" && { owner: owner.trim() }),
    ...(repo !== undefined && { repo }),
    ...(labels.tier !== undefined && { tier: labels.tier }),
    ...(Object.keys(labels).length > 0 && { labels }),
  };
  for (const key of ["area", "team", "app"] as const) {
    const fault = nameFault(entry[key]);
    if (fault) throw new PassOver(`its ${key} ${quoted(entry[key])} ${fault}`);
  }
  return { entry, file, line, ...(note !== undefined && { note }) };
}

/** All entities of the files, by `refKey`. */
type Known = ReadonlyMap<string, Entity>;

async function areaOf(
  { field, namespace }: Entity,
  known: Known,
  options: CatalogOptions,
): Promise<{ readonly area: string; readonly note?: string }> {
  const fallBack = (reason: string, note?: string) => {
    if (options.area === undefined) throw new PassOver(`${reason}, so its area is not known; give --area`);
    return { area: options.area, ...(note !== undefined && { note }) };
  };
  const named = await field("spec", "system");
  if (named === undefined) return fallBack("it has no spec.system");
  const ref = entityRef(named, "spec.system", { kind: "system", namespace });
  const system = known.get(refKey(ref));
  if (!system) {
    const reason = `its system ${quoted(ref.name)} is not in the files`;
    return fallBack(reason, `${reason}, so --area counts`);
  }
  const domain = await system.field("spec", "domain");
  if (domain === undefined) return fallBack(`its system ${quoted(ref.name)} has no spec.domain`);
  return { area: spelling(entityRef(domain, "spec.domain", { kind: "domain", namespace: system.namespace }), known) };
}

/** References may differ in upper and lower case from the entity they mean, and names here may not. */
function spelling(ref: EntityRef, known: Known): string {
  return known.get(refKey(ref))?.name ?? ref.name;
}

/** The labels or annotations of an entity. */
async function textsOf({ field }: Entity, name: "labels" | "annotations"): Promise<Readonly<Record<string, string>>> {
  const value = await field("metadata", name);
  if (value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value))
    throw new PassOver(`metadata.${name} must be a mapping of texts`);
  const texts: [string, string][] = [];
  for (const key of Object.keys(Object(value))) {
    const text = await optionalText(field("metadata", name, key), `metadata.${name}.${key}`);
    if (text !== undefined) texts.push([key, text]);
  }
  return Object.fromEntries(texts);
}

const slugs = ["github.com", "gitlab.com", "bitbucket.org"];

/** The address of the repository that annotations name. */
function repoOf(annotations: Readonly<Record<string, string>>): string | undefined {
  const [, source] = /^url:(https?:.*)$/.exec(annotations["backstage.io/source-location"] ?? "") ?? [];
  if (source) return source.split(/\/(?:-\/)?(?:tree|blob|src)\//, 1)[0]?.replace(/\/+$/, "");
  const host = slugs.find((one) => annotations[`${one}/project-slug`]);
  return host && `https://${host}/${annotations[`${host}/project-slug`]}`;
}
