import { unreadable } from "./errors.ts";
import { isGzip, unpack } from "./unpack.ts";

/**
 * The text of a file: UTF-8, or UTF-16 when a byte order mark or the zero bytes of its first characters say so. What is
 * invalid becomes U+FFFD; an odd last byte of UTF-16 is dropped. A gzip file is unpacked.
 *
 * @throws ReportError when it is too large for a text of JavaScript, about 512 MiB, or a gzip file that cannot be unpacked
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
