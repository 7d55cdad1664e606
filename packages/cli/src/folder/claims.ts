import { posix } from "node:path";
import picomatch from "picomatch";

/** What a caller says of files: `--metric 'coverage/*.info=unit_coverage'`. */
export interface Claim<Value> {
  /** As it was given, with its flag, for messages. */
  readonly text: string;
  readonly value: Value;
  matches(file: string): boolean;
}

/** Reads `PATTERN=VALUE`; undefined when it is a mere value, which is of all files. */
export function parseClaim(flag: string, text: string): Claim<string> | undefined {
  const at = text.lastIndexOf("=");
  if (at <= 0) return undefined;
  const pattern = text.slice(0, at);
  return { text: `${flag} ${text}`, value: text.slice(at + 1).trim(), matches: matcher(pattern) };
}

/**
 * Whether a pattern means a file. One with a slash is about the path as it is shown, one without about the name, wherever
 * the file lies. A pattern that is the very path or name means it even with brackets in it.
 */
export function matcher(pattern: string): (file: string) => boolean {
  const wanted = pattern.replace(/^\.\//, "");
  const isMatch = picomatch(wanted, { dot: true });
  const isPath = wanted.includes("/");
  return (file) => {
    const shown = slashed(file);
    const compared = isPath ? shown : posix.basename(shown);
    return compared === wanted || isMatch(compared);
  };
}

/** A path as patterns are written. */
function slashed(file: string): string {
  return process.platform === "win32" ? file.replaceAll("\\", "/") : file;
}
