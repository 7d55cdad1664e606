import { execFile, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../../test/support/markdown.ts";
import { freePort } from "../../test/support/postgres.ts";
import { until } from "../../test/support/service.ts";

const version = "6.10.4";

/** A registry of npm that takes packages of everybody, and asks no other registry. */
export interface Verdaccio {
  readonly url: string;
  /** Settings of npm and pnpm, as a text for an `.npmrc`: the scopes are of this registry, all else of npm's. */
  readonly npmrc: string;
  stop(): void;
}

/** Starts one that keeps its packages in the folder. Its program comes from npm's registry, and is kept for the next run. */
export async function startVerdaccio(folder: string, scopes: readonly string[]): Promise<Verdaccio> {
  const program = await install();
  await mkdir(folder);
  const everybody = { access: "$all", publish: "$all" };
  const config = {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    packages: { "**": everybody },
    max_body_size: "100mb",
    log: { type: "stdout", format: "json", level: "error" },
  };
  await writeFile(join(folder, "config.yaml"), JSON.stringify(config));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const options = ["--config", join(folder, "config.yaml"), "--listen", `127.0.0.1:${port}`];
  const server = spawn(process.execPath, [program, ...options], { stdio: "ignore" });
  await until(async () => (await fetch(`${url}/-/ping`).catch(() => undefined))?.ok === true);
  const registries = scopes.map((scope) => `${scope}:registry=${url}\n`);
  // Clients publish only as somebody, whoever that is.
  return { url, npmrc: `${registries.join("")}//127.0.0.1:${port}/:_authToken=anybody\n`, stop: () => server.kill() };
}

async function install(): Promise<string> {
  const folder = join(repository, "node_modules/.cache/verdaccio");
  await mkdir(folder, { recursive: true });
  // It depends on node-fetch by a tag, which not every mirror of npm's registry has.
  const manifest = { private: true, dependencies: { verdaccio: version }, overrides: { "node-fetch": "^2.7.0" } };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: folder });
  return join(folder, "node_modules/verdaccio/bin/verdaccio");
}
