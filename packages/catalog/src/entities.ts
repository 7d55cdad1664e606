import { readYamlDocuments, type YamlFault, type YamlText } from "@maturity/yaml";
import { quoted } from "./entity-ref.ts";
import { linkedFiles } from "./linked-files.ts";
import { type PassedOver, PassOver, type Place } from "./reading.ts";
import { type CatalogFile, type CatalogSource, readDecoded } from "./source.ts";

/** An entity of a catalog file, as it stands there. */
export interface Entity extends Place {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly of: CatalogFile;
  /**
   * A field, with what its placeholders lead to; undefined if there is none, or an empty one.
   *
   * @throws PassOver if a placeholder leads to nothing
   */
  field(...path: readonly string[]): Promise<unknown>;
}

/** What the documents of a YAML file are. */
export interface Entities {
  readonly entities: readonly Entity[];
  readonly passedOver: readonly PassedOver[];
  readonly faults: readonly PassedOver[];
}

/** Reads the documents of a catalog file. Every scalar is a text, so that `1.10` and `no` stay names. */
export async function readEntities(text: string, file: CatalogFile, source: CatalogSource): Promise<Entities> {
  const entities: Entity[] = [];
  const passedOver: PassedOver[] = [];
  const faults: PassedOver[] = [];
  for (const document of readYamlDocuments(text, { schema: "failsafe" })) {
    const [fault] = document.faults;
    const at = { file: file.name, line: fault?.line ?? document.lineOf([]) };
    if (fault) {
      faults.push({ ...at, what: "a document", why: faultText(fault) });
      continue;
    }
    try {
      entities.push(await entityOf(document, file, source));
    } catch (error) {
      if (!(error instanceof PassOver)) throw error;
      passedOver.push({ ...at, what: called(document.value), why: error.message });
    }
  }
  return { entities, passedOver, faults };
}

async function entityOf({ value, lineOf }: YamlText, of: CatalogFile, source: CatalogSource): Promise<Entity> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new PassOver("an entity of Backstage is a mapping with apiVersion, kind, metadata and spec");
  }
  const field: Entity["field"] = (...path) =>
    fieldOf(value, path, (field, name) => substituted(field, name, of, source));
  const apiVersion = await textOf(field("apiVersion"), "apiVersion");
  if (!/^(?:[\w-]+\.)?backstage\.io\//.test(apiVersion)) {
    throw new PassOver(`its apiVersion is ${quoted(apiVersion)}, and Backstage's begins with backstage.io/`);
  }
  const kind = await textOf(field("kind"), "kind");
  const name = await textOf(field("metadata", "name"), "metadata.name");
  if (/\{\{|\$\{/.test(name)) throw new PassOver(`its name is a placeholder of a template: ${quoted(name)}`);
  const namespace = (await optionalText(field("metadata", "namespace"), "metadata.namespace")) ?? "default";
  return { kind, namespace, name, of, field, file: of.name, line: lineOf([]) };
}

/** The text of a field that is required. */
async function textOf(field: Promise<unknown>, name: string): Promise<string> {
  const text = await optionalText(field, name);
  if (text === undefined) throw new PassOver(`${name} is missing`);
  return text;
}

/**
 * The text of a field, without white space at its ends.
 *
 * @throws PassOver if it is no text
 */
export async function optionalText(field: Promise<unknown>, name: string): Promise<string | undefined> {
  const value = await field;
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw new PassOver(`${name} must be a text`);
  return value.trim();
}

async function fieldOf(
  whole: object,
  path: readonly string[],
  resolved: (value: unknown, name: string) => Promise<unknown>,
): Promise<unknown> {
  let value: unknown = whole;
  for (const [index, key] of path.entries()) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
    value = await resolved(value, path.slice(0, index + 1).join("."));
  }
  return typeof value === "string" && /^(?:|~|null)$/i.test(value.trim()) ? undefined : value;
}

/** What a placeholder such as `$text: ./owner.txt` stands for. Anything else is left as it is. */
async function substituted(value: unknown, name: string, file: CatalogFile, source: CatalogSource): Promise<unknown> {
  if (typeof value !== "object" || value === null) return value;
  const [[key, target] = ["", undefined], ...others] = Object.entries(value);
  if (!key.startsWith("$") || others.length > 0) return value;
  const refuse = (why: string) => new PassOver(`${name} is a placeholder, and ${why}`);
  if (!["$text", "$json", "$yaml"].includes(key)) throw refuse(`${key} is none of $text, $json and $yaml`);
  if (typeof target !== "string") throw refuse(`${key} must name a file`);
  try {
    const [linked] = await linkedFiles(file, target, source);
    const text = linked ? await readDecoded(linked, source) : "";
    if (key === "$text") return text;
    const documents = readYamlDocuments(text, { schema: "failsafe" });
    const [document] = documents;
    const fault = documents.find(({ faults }) => faults.length > 0)?.faults[0];
    if (fault) throw new PassOver(`${quoted(target)}:${fault.line} is ${faultText(fault)}`);
    if (documents.length > 1) throw new PassOver(`${quoted(target)} holds several documents`);
    return document?.value;
  } catch (error) {
    throw error instanceof PassOver ? refuse(error.message) : error;
  }
}

function faultText({ message }: YamlFault): string {
  return `not valid YAML: ${message.split("\n")[0]}`;
}

/** What a document that is no entity is called: its kind and name, as far as it has them. */
function called(value: unknown): string {
  const { kind, metadata } = Object(value) as { readonly kind?: unknown; readonly metadata?: unknown };
  const { name } = Object(metadata) as { readonly name?: unknown };
  const words = [kind, name].filter((word) => typeof word === "string" && word !== "");
  return words.length > 0 ? words.join(" ") : "a document";
}
