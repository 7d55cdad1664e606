import { posix } from "node:path";
import picomatch from "picomatch";

/** A flag that says something about the files of a pattern, such as `--metric 'coverage/*.info=unit_coverage'`. */
export interface Claim<Value> {
  /** The flag as it was given, for messages. */
  readonly text: string;
  readonly value: Value;
  matches(file: string): boolean;
}

/** Reads `PATTERN=VALUE`. Undefined if there is no pattern. */
export function parseClaim(flag: string, text: string): Claim<string> | undefined {
  const at = text.lastIndexOf("=");
  if (at <= 0) return undefined;
  const pattern = text.slice(0, at);
  return { text: `${flag} ${text}`, value: text.slice(at + 1).trim(), matches: matcher(pattern) };
}

/**
 * Makes a function that checks whether a pattern matches a file. A pattern with a slash is compared with the path as the
 * program prints it. A pattern without one is compared with the name alone. If a pattern is literally the path or the
 * name, it matches, even with brackets in it.
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

/** A path with slashes, because patterns have slashes on every system. */
function slashed(file: string): string {
  return process.platform === "win32" ? file.replaceAll("\\", "/") : file;
}
