import { unreadable } from "./errors.ts";
import { isGzip, unpack } from "./unpack.ts";

/**
 * Decodes a file. A gzip file is unpacked first. The encoding is UTF-16 if the file begins with its byte order mark, or
 * if exactly one of its first two bytes is zero. Otherwise it is UTF-8. Invalid bytes become U+FFFD. An odd last byte
 * of UTF-16 is dropped.
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
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    throw unreadable(`the report is too large: ${content.length.toLocaleString("en")} bytes`);
  }
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first !== undefined && first !== 0 && second === 0) return "utf-16le";
  return first === 0 && second !== undefined && second !== 0 ? "utf-16be" : "utf-8";
}
