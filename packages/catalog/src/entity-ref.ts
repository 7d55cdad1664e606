import { PassOver } from "./reading.ts";

/** The whole name of an entity. Backstage compares all three without regard to upper and lower case. */
export interface EntityRef {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * The entity that a reference means: `[<kind>:][<namespace>/]<name>`, or an object with these three, of which only the name
 * is required. https://backstage.io/docs/features/software-catalog/references
 *
 * @param of the field that holds it, for messages
 * @param defaults what the reference leaves out: the kind that the field is about, and the namespace of its entity
 * @throws PassOver if it is no reference
 */
export function entityRef(value: unknown, of: string, defaults: Omit<EntityRef, "name">): EntityRef {
  if (typeof value === "string") {
    const [, kind, namespace, name] = /^(?:([^:/]+):)?(?:([^:/]+)\/)?([^:/]+)$/.exec(value.trim()) ?? [];
    if (name === undefined)
      throw new PassOver(`${of} is ${quoted(value)}, but must be a reference such as ${example(of)}`);
    return { kind: (kind ?? defaults.kind).toLowerCase(), namespace: namespace ?? defaults.namespace, name };
  }
  const { kind = defaults.kind, namespace = defaults.namespace, name } = Object(value) as Record<string, unknown>;
  if (typeof name !== "string" || typeof kind !== "string" || typeof namespace !== "string") {
    throw new PassOver(`${of} must be a reference such as ${example(of)}`);
  }
  return { kind: kind.toLowerCase(), namespace, name: name.trim() };
}

/** The same text for all spellings of a reference. */
export function refKey({ kind, namespace, name }: EntityRef): string {
  return `${kind}:${namespace}/${name}`.toLowerCase();
}

/** A text of a file in a message, cut where it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function example(of: string): string {
  return of === "spec.owner" ? "group:default/checkout" : of === "spec.system" ? "system:default/web-shop" : "web-shop";
}
