import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { maxFaults } from "@maturity/core/wire";
import { readYaml, type YamlFault, type YamlPath } from "@maturity/yaml";
import Joi from "joi";
import { OperatorError } from "./errors.ts";
import { dotted } from "./fields.ts";

/** How a settings file is read. */
interface SettingsFile {
  /** What it is, before its path in messages, such as `The policy`. */
  readonly kind: string;
  readonly schema: Joi.Schema;
  /** The words of faults that other settings files lack. */
  readonly messages: Joi.LanguageMessages;
  readonly yaml?: Parameters<typeof readYaml>[1];
  /** Most faults of YAML that are listed: most often the others follow from the first. */
  readonly mostUnread?: number;
  /** Further faults, beside those that joi found. */
  faults?(value: unknown, found: readonly SettingFault[]): readonly SettingFault[];
}

/** A fault at a setting. */
export interface SettingFault {
  readonly path: YamlPath;
  readonly message: string;
}

/** The words of faults in every settings file. */
const words: Joi.LanguageMessages = {
  fault: "{{#reason}}",
  "any.only": "must be one of {{#valids}}",
  "any.required": "is required",
  "array.base": "must be a list",
  "array.max": "must have at most {{#limit}} entries",
  "array.min": "must have an entry",
  "object.base": "must be a mapping",
  "object.min": "must have an entry",
  "string.base": "must be a text",
  "string.empty": "must not be empty",
};

/** The text of a settings file. @throws OperatorError if it cannot be read, or is not UTF-8 */
export async function loadSettings(kind: string, file: string): Promise<string> {
  const bytes = await readFile(file).catch((cause: Error) => {
    throw new OperatorError(`${kind} ${file} cannot be read: ${cause.message}`, { cause });
  });
  if (!isUtf8(bytes)) throw new OperatorError(`${kind} ${file} is not UTF-8; save it as UTF-8`);
  return bytes.toString("utf8");
}

/**
 * Reads the settings of a file in YAML or JSON.
 *
 * @param file its path, for messages and for relative paths in it
 * @throws OperatorError listing its faults in the order of their lines, at most a hundred
 */
export function readSettings<Settings>(
  text: string,
  file: string,
  { kind, schema, messages, yaml, mostUnread = 1, faults = () => [] }: SettingsFile,
): Settings {
  const written = readYaml(text, yaml);
  const refusal = (found: readonly YamlFault[]) => {
    const lines = found.toSorted((a, b) => a.line - b.line).map(({ line, message }) => `  line ${line}: ${message}`);
    return new OperatorError(`${kind} ${file} cannot be used:\n${[...new Set(lines)].slice(0, maxFaults).join("\n")}`);
  };
  const unread = [...written.faults, ...written.warnings].slice(0, mostUnread);
  if (unread.length > 0) throw refusal(unread);
  const { value, error } = schema.validate(written.value, {
    ...{ abortEarly: false, convert: false, errors: { label: false }, messages: { ...words, ...messages } },
    context: { folder: dirname(file) },
  });
  const found = error?.details ?? [];
  const all = [...found, ...faults(value, found)];
  if (all.length === 0) return value;
  throw refusal(
    all.map(({ path, message }) => ({
      line: written.lineOf(path, "key"),
      message: path.length > 0 ? `${dotted(path)} ${message}` : `it ${message}`,
    })),
  );
}

/**
 * The path of a file with a secret; its value is the secret. The validation's context holds the `folder` in which relative
 * paths begin, and its messages have `fault`, as those of `readSettings`.
 */
export const secretFile: Joi.StringSchema = Joi.string().custom((path: string, { prefs, error }: Joi.CustomHelpers) => {
  try {
    const secret = readFileSync(resolve(prefs.context?.folder ?? "", path), "utf8").trim();
    return secret || error("fault", { reason: "names an empty file" });
  } catch (cause) {
    return error("fault", { reason: `names a file that cannot be read: ${(cause as Error).message}` });
  }
});
