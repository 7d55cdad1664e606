import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { insteadOf } from "@maturity/command-line/did-you-mean";
import { isMissing, readText } from "@maturity/command-line/files";
import type { Flags } from "@maturity/command-line/flags";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Context } from "./context.ts";
import { isPackageName } from "./scoring.ts";
import { type FileSettingName, resolveSettings, type Settings, type SettingsFile, settingNames } from "./settings.ts";

export const settingsFileName = "maturity.yaml";

/** Largest maturity.yaml, in bytes: far more than settings need. */
const maxBytes = 65_536;

/** The settings of a command: from its flags, else from the environment, else from the nearest maturity.yaml. */
export async function settingsOf(flags: Flags, { env, cwd }: Pick<Context, "env" | "cwd">): Promise<Settings> {
  return resolveSettings(flags, env, await findSettingsFile(cwd));
}

/**
 * Finds and reads the nearest maturity.yaml, from this directory up to the root of its repository. Outside of a
 * repository only this directory is searched, because directories above it may belong to anybody. Undefined if there is
 * none.
 *
 * @throws UsageError if it cannot be read, is not a mapping of texts, or has a key or value that is not allowed in a
 * file
 */
export async function findSettingsFile(directory: string): Promise<SettingsFile | undefined> {
  const root = await repositoryRoot(directory);
  for (let current = directory; ; current = dirname(current)) {
    const path = join(current, settingsFileName);
    const text = await readIfThere(path);
    if (text !== undefined) return { path, values: await parse(text, path) };
    if (root === undefined || current === root) return undefined;
  }
}

/** The nearest directory with an entry `.git`. In a worktree and in a submodule this entry is a file. */
async function repositoryRoot(directory: string): Promise<string | undefined> {
  for (let current = directory; ; current = dirname(current)) {
    const git = await stat(join(current, ".git")).catch(() => undefined);
    if (git) return current;
    if (dirname(current) === current) return undefined;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readText(path, path, maxBytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Reads all values as texts. Otherwise YAML would turn an application called `no` or `1.10` into a flag or a number.
 */
async function parse(text: string, path: string): Promise<SettingsFile["values"]> {
  const { readYaml } = await import("@maturity/yaml");
  const { value, faults } = readYaml(text, { schema: "failsafe" });
  const [fault] = faults;
  if (fault) throw new UsageError(`${path} is not valid YAML: ${fault.message.split("\n")[0]}`);
  const content = value ?? {};
  if (typeof content !== "object" || Array.isArray(content)) {
    throw new UsageError(`${path} must hold settings such as app: cart`);
  }
  const values: { [Name in FileSettingName]?: string } = {};
  for (const [key, value] of Object.entries(content)) {
    if (!isFileSetting(key)) throw new UsageError(`${path}: ${foreignKey(key)}`);
    values[key] = key === "scorecards" ? packagesOf(value, path) : textOf(value, key, path);
  }
  return values;
}

const fileSettings = Object.keys(settingNames).filter((name) => name !== "audience");

function isFileSetting(key: string): key is FileSettingName {
  return fileSettings.includes(key);
}

function foreignKey(key: string): string {
  if (/token|secret|password/i.test(key)) {
    return `${key} does not belong into a file of the repository; give MATURITY_TOKEN to the pipeline`;
  }
  if (key === "audience") {
    return "audience does not belong into a file of the repository, which must not say for whom the CI makes a token; give --audience or MATURITY_AUDIENCE";
  }
  return `${key} is not a setting${insteadOf(key, fileSettings)}`;
}

function textOf(value: unknown, key: string, path: string): string {
  if (typeof value === "string") return value;
  throw new UsageError(`${path}: ${key} must be a text`);
}

/**
 * Reads `scorecards`. Paths are refused: whoever can propose a change to the repository can change this file, and a
 * path could make the program run code of the repository.
 */
function packagesOf(value: unknown, path: string): string {
  const names = typeof value === "string" ? value.split(",").map((name) => name.trim()) : value;
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) {
    throw new UsageError(`${path}: scorecards must be a text, or a list of texts`);
  }
  const other = names.find((name) => name !== "" && !isPackageName(name));
  if (other !== undefined) {
    throw new UsageError(
      `${path}: scorecards must be names of installed packages, which ${JSON.stringify(other)} is not; a path is given by --scorecards or MATURITY_SCORECARDS`,
    );
  }
  return names.join(",");
}
