import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type SettingName, type SettingsFile, settingNames } from "./settings.ts";
import { UsageError } from "./usage-error.ts";

export const settingsFileName = "maturity.yaml";

/**
 * The nearest maturity.yaml of this directory or one above it.
 *
 * @throws UsageError when it cannot be read, is no mapping of texts, or has a key that is no setting
 */
export async function findSettingsFile(directory: string): Promise<SettingsFile | undefined> {
  for (let current = directory; ; current = dirname(current)) {
    const path = join(current, settingsFileName);
    const text = await readIfThere(path);
    if (text !== undefined) return { path, values: await parse(text, path) };
    if (dirname(current) === current) return undefined;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new UsageError(`${path} cannot be read: ${code}`);
  }
}

/** Every scalar is a text, so that an application called `no` or `1.10` keeps its name. */
async function parse(text: string, path: string): Promise<SettingsFile["values"]> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { schema: "failsafe" });
  const [fault] = document.errors;
  if (fault) throw new UsageError(`${path} is not valid YAML: ${fault.message.split("\n")[0]}`);
  const content: unknown = document.toJS() ?? {};
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new UsageError(`${path} must hold settings such as app: cart`);
  }
  const values: { [Name in SettingName]?: string } = {};
  for (const [key, value] of Object.entries(content)) {
    if (!Object.hasOwn(settingNames, key)) throw new UsageError(`${path}: ${unknownKey(key)}`);
    values[key as SettingName] = textOf(value, key as SettingName, path);
  }
  return values;
}

function unknownKey(key: string): string {
  if (/token|secret|password/i.test(key)) {
    return `${key} does not belong into a file of the repository; give MATURITY_TOKEN to the pipeline`;
  }
  return `${key} is not a setting; there are ${Object.keys(settingNames).join(", ")}`;
}

function textOf(value: unknown, key: SettingName, path: string): string {
  if (typeof value === "string") return value;
  const isList = key === "scorecards" && Array.isArray(value) && value.every((one) => typeof one === "string");
  if (isList) return value.join(",");
  throw new UsageError(`${path}: ${key} must be a text${key === "scorecards" ? ", or a list of texts" : ""}`);
}
