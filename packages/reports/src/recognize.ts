import { beginsAsData, damageOf } from "./damage.ts";
import { decode } from "./decode.ts";
import { describe } from "./describe.ts";
import { Document, type EmptyForm } from "./document.ts";
import { ReportError } from "./errors.ts";
import type { Format } from "./format.ts";
import { formats as allFormats } from "./formats.ts";

/** Number of bytes from which nearly every report can be recognized. */
export const beginningLength = 65_536;

/** What the beginning of a file shows. */
export type Recognized =
  | { readonly format: Format }
  /** The file is empty in a way in which several tools say that they found nothing. */
  | { readonly empty: EmptyForm }
  /** The file has none of the formats. `other` says what it looks like. */
  | {
      readonly other: string;
      /**
       * Whether the rest of the file could still show a format, or that it is damaged. Some tools write what identifies
       * their format at the end of their JSON.
       */
      readonly isOpen: boolean;
      /**
       * How the file is damaged, if it begins like JSON or XML but is cut off or malformed. Only known for whole files.
       */
      readonly damage?: string;
    };

/**
 * Recognizes a file by its beginning, so that files which are no reports need not be read whole. `readReport`, which
 * knows the whole file, may still refuse it or find another format.
 *
 * @param beginning the first bytes of the file, preferably `beginningLength` of them
 * @param isWhole whether these are all bytes of the file
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
  const { what: other } = describe(document);
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
