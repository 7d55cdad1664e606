import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { maxFaults } from "@maturity/core/wire";
import type { YamlFault, YamlPath } from "@maturity/yaml";
import Joi from "joi";
import { ConfigError } from "./errors.ts";

/**
 * The error for a settings file, with its faults in the order of their lines, at most a hundred.
 *
 * @param file what the file is, with its path, such as `The policy x.yaml`
 */
export function settingsFault(file: string, faults: readonly YamlFault[]): ConfigError {
  const messages = new Set(
    faults.toSorted((a, b) => a.line - b.line).map(({ line, message }) => `  line ${line}: ${message}`),
  );
  return new ConfigError(`${file} cannot be used:\n${[...messages].slice(0, maxFaults).join("\n")}`);
}

/** A fault found by joi, with the line of its key. */
export function faultAt(
  { path, message }: { readonly path: YamlPath; readonly message: string },
  lineOf: (path: YamlPath, part: "key") => number,
): YamlFault {
  return { line: lineOf(path, "key"), message: path.length > 0 ? `${dotted(path)} ${message}` : `it ${message}` };
}

function dotted(path: YamlPath): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
}

/**
 * The path of a file with a secret; its value is the secret. The validation's context holds the `folder` in which relative
 * paths begin, and its messages have `fault`.
 */
export const secretFile: Joi.StringSchema = Joi.string().custom((path: string, { prefs, error }: Joi.CustomHelpers) => {
  try {
    const secret = readFileSync(resolve(prefs.context?.folder ?? "", path), "utf8").trim();
    return secret || error("fault", { reason: "names an empty file" });
  } catch (cause) {
    return error("fault", { reason: `names a file that cannot be read: ${(cause as Error).message}` });
  }
});
