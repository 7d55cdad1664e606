import { relative, resolve } from "node:path";
import { checkPackageName, readCi, readRegistry, UnusableAnswer } from "../../create-scorecard/src/answers.ts";
import { projectFiles } from "../../create-scorecard/src/template/project.ts";
import { writeAll } from "../../create-scorecard/src/write.ts";
import type { ScorecardDeclaration } from "./index.ts";
import { sourceOf } from "./source.ts";

/** How the package is to be. */
export interface WantedPackage {
  /** Its name. Made of the scorecard's if it is undefined. */
  readonly package: string | undefined;
  /** Whose pipelines test it: `github`, `gitlab` or `none`. */
  readonly ci: string;
  /** The npm registry of Maturity's packages and of the package's scope. */
  readonly registry: string | undefined;
}

/** What was written. */
export interface WrittenPackage {
  readonly name: string;
  /** Where, seen from the working directory. */
  readonly folder: string;
  /** The files in it, sorted. */
  readonly paths: readonly string[];
}

/** The package cannot be as it is wanted, or its folder cannot be written. */
export class UnusablePackage extends Error {
  override readonly name = "UnusablePackage";
}

/**
 * Writes a scorecard as the source of a package.
 *
 * @param folder new or empty; by the name of the scorecard if it is undefined
 * @throws UnusablePackage, and nothing is written then
 */
export async function writePackage(
  declaration: ScorecardDeclaration,
  wanted: WantedPackage,
  folder: string | undefined,
  cwd: string,
): Promise<WrittenPackage> {
  const { name: scorecard, version } = declaration;
  try {
    const short = scorecard.replaceAll("_", "-").replace(/-+$/, "");
    const name = wanted.package ?? short;
    checkPackageName(name);
    const registry = wanted.registry === undefined ? undefined : readRegistry(wanted.registry);
    const files = {
      ...projectFiles({ package: name, version, scorecard, ci: readCi(wanted.ci), registry }),
      ...sourceOf(declaration),
    };
    const path = resolve(cwd, folder ?? short);
    await writeAll(path, files, cwd);
    return { name, folder: relative(cwd, path), paths: Object.keys(files).sort() };
  } catch (error) {
    const { code, message } = Object(error) as NodeJS.ErrnoException;
    if (error instanceof UnusableAnswer || code !== undefined) throw new UnusablePackage(message, { cause: error });
    throw error;
  }
}
