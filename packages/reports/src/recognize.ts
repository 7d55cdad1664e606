import { beginsAsData, damageOf } from "./damage.ts";
import { decode } from "./decode.ts";
import { describe } from "./describe.ts";
import { Document, type EmptyForm } from "./document.ts";
import { ReportError } from "./errors.ts";
import type { Format } from "./format.ts";
import { formats as allFormats } from "./formats.ts";

/** So many bytes tell what nearly every report is. */
export const beginningLength = 65_536;

/** What a file is, by its beginning. */
export type Recognized =
  | { readonly format: Format }
  /** How several tools write that they found nothing. */
  | { readonly empty: EmptyForm }
  /** None of the formats, and what it looks like instead. */
  | {
      readonly other: string;
      /**
       * Whether more of the file could show one, or that it is damaged: some tools write what tells their format at the end
       * of their JSON.
       */
      readonly isOpen: boolean;
      /** Why the file, where it is whole and begins as JSON or XML, is none: it is cut off or malformed. */
      readonly damage?: string;
    };

/**
 * What a file looks like, so that nobody reads all of a file to learn that it is no report. `readReport` may still refuse
 * it, or find it to be of another format.
 *
 * @param beginning its first bytes, best `beginningLength` of them
 * @param isWhole whether these are all
 */
export function recognize(
  beginning: Uint8Array,
  isWhole: boolean,
  formats: readonly Format[] = allFormats,
): Recognized {
  const document = documentOf(beginning, isWhole);
  if (!document) return { other: "a compressed file", isOpen: false };
  if (document.empty) return { empty: document.empty };
  const format = formats.find((one) => one.looksLike(document));
  if (format) return { format };
  const other = describe(document);
  if (!isWhole) return { other, isOpen: /^\s*[[{]/.test(document.text) || beginsAsData(document) };
  const damage = damageOf(document);
  return { other, isOpen: false, ...(damage !== undefined && { damage }) };
}

function documentOf(bytes: Uint8Array, isWhole: boolean): Document | undefined {
  try {
    return new Document(decode(bytes), isWhole);
  } catch (error) {
    if (error instanceof ReportError) return undefined;
    throw error;
  }
}
