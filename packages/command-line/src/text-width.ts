import fastStringTruncatedWidth from "fast-string-truncated-width";
import { printable } from "./terminal.ts";

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  return fastStringTruncatedWidth(text).width;
}

/** The beginning of a text that takes so many columns of a terminal at the most, with `…` where something is left out. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let taken = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    taken += widthOf(segment);
    if (taken > width - 1) return `${text.slice(0, index)}…`;
  }
  return text;
}

/** The end of a text, such as of a path, otherwise like `cutTo`. */
export function endOf(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const { index = 0 } =
    [...new Intl.Segmenter().segment(text)].find(({ index }) => widthOf(text.slice(index)) < width) ?? {};
  return `…${text.slice(index)}`;
}

/** A text with blanks behind it, up to so many columns of a terminal. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The lines of a text that breaks between words where the terminal ends. Elsewhere it is one line. */
export function wrapped(text: string, indent: string, { width }: { readonly width: number | undefined }): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of printable(text).split(" ")) {
    const longer = line === indent ? line + word : `${line} ${word}`;
    if (line !== indent && width !== undefined && widthOf(longer) > width) {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
