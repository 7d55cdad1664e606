/** An application as the registry of the service holds it. */
export interface AppEntry {
  readonly area: string;
  readonly team: string;
  readonly app: string;
  readonly owner?: string;
  readonly repo?: string;
  readonly tier?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Where something stands. Lines count from 1. */
export interface Place {
  /** As messages call the file. */
  readonly file: string;
  readonly line: number;
}

/** A part of a file that gives no application. */
export interface PassedOver extends Place {
  /** Its kind and name, as far as they are known. */
  readonly what: string;
  /** Why, as the end of a sentence. */
  readonly why: string;
  /** A kind that is never an application, such as `API`. */
  readonly kind?: string;
}

/** An application, and where it was found. */
export interface FoundApp extends Place {
  readonly entry: AppEntry;
  /** What was decided for it that its author may not expect. */
  readonly note?: string;
}

/** What files say of applications. */
export interface CatalogReading {
  readonly apps: readonly FoundApp[];
  readonly passedOver: readonly PassedOver[];
  /** What cannot be read, so that the number of its applications is not known. */
  readonly faults: readonly PassedOver[];
}

/** Says why an entity, or a file, gives no application. */
export class PassOver extends Error {
  override readonly name = "PassOver";
}

/** A place as an editor takes it. */
export function placeText({ file, line }: Place): string {
  return `${file}:${line}`;
}
