import type { ReportErrorCode } from "@maturity/reports";

/** A report of about so many characters. */
export type Shape = (size: number) => string;

/** How reading a report ends, and the report. */
export type HostileShape = readonly [end: "read" | ReportErrorCode, report: Shape];

/** By the format, and what is hostile in it. */
export type HostileShapes = Readonly<Record<`${string}: ${string}`, HostileShape>>;

/** The same piece again and again, with a beginning and an end around it. */
export const filled =
  (begin: string, piece: string, end = ""): Shape =>
  (size) =>
    begin + piece.repeat(Math.ceil(size / piece.length)) + end;

/** The same, with pieces that differ. They are counted from 1. */
export const counted =
  (begin: string, piece: (n: number) => string, end = ""): Shape =>
  (size) => {
    const pieces: string[] = [];
    for (let n = 1, length = 0; length < size; n++) length += pieces[pieces.push(piece(n)) - 1]?.length ?? 0;
    return begin + pieces.join("") + end;
  };

/** Half of it is the name of one element, and half its children. */
export const longName =
  (begin: string, end: string, child = "<a/>"): Shape =>
  (size) => {
    const name = "n".repeat(size / 2);
    return `${begin}<${name}>${child.repeat(size / 2 / child.length)}</${name}>${end}`;
  };

/** Texts in which there is much to mask, and much to mask it with. */
export const manyWords: string = "a1b2c3d4 ".repeat(400);
