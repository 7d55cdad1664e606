import { unreadable } from "./errors.ts";
import { isGzip, unpack } from "./unpack.ts";

/**
 * Decodes a file. A gzip file is unpacked first. The encoding is UTF-16 if the file begins with its byte order mark, or
 * if exactly one of its first two bytes is zero. Otherwise it is UTF-8, or where its bytes are not, what its XML
 * declaration names, or else Windows-1252. So no two names of other bytes become equal. An odd last byte of UTF-16 is
 * dropped.
 *
 * @throws ReportError if the text is too long for JavaScript (about 512 MiB), or if a gzip file cannot be unpacked
 */
export function decode(report: Uint8Array | string): string {
  if (typeof report === "string") return report.startsWith("\uFEFF") ? report.slice(1) : report;
  const content = isGzip(report) ? unpack(report) : report;
  if (content !== report && isGzip(content)) {
    throw unreadable("the report is a gzip file in a gzip file: unpacked once, what is inside is gzip again");
  }
  const encoding = encodingOf(content);
  const bytes = encoding === "utf-8" ? content : content.subarray(0, content.length - (content.length % 2));
  try {
    if (encoding !== "utf-8") return new TextDecoder(encoding).decode(bytes);
    const text = decodeAs("utf-8", bytes) ?? decodeAs(declared(bytes), bytes);
    return text ?? singleBytes.decode(bytes).replace(/^ï»¿/, ""); // the byte order mark of UTF-8
  } catch {
    throw unreadable(`the report is too large: ${content.length.toLocaleString("en")} bytes`);
  }
}

/** Gives each byte a character of its own. */
const singleBytes = new TextDecoder("windows-1252");

/** The text of bytes in an encoding; undefined if it is none of theirs, or not known. */
function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The encoding that an XML declaration names; empty without one. UTF-16 would show in the first bytes. */
function declared(bytes: Uint8Array): string {
  const beginning = singleBytes.decode(bytes.subarray(0, 200));
  const [, encoding = ""] = /^<\?xml[^>]*\sencoding\s*=\s*["'](?!utf-?16)([\w.:-]+)/i.exec(beginning) ?? [];
  return encoding;
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first !== undefined && first !== 0 && second === 0) return "utf-16le";
  return first === 0 && second !== undefined && second !== 0 ? "utf-16be" : "utf-8";
}
