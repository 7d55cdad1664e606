import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { repository } from "./markdown.ts";

const run = promisify(execFile);

/** A registry of npm with the packages of this repository, which takes others. */
export interface NpmRegistry {
  /** Settings of npm that name it for the packages of this repository and of `@acme`. */
  readonly npmrc: string;
  /** Name of a package of this repository → its tarball. */
  readonly tarballs: ReadonlyMap<string, string>;
  stop(): void;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** Packs what is published, and was built before, into the folder, and serves it as a registry does. */
export async function startNpmRegistry(folder: string): Promise<NpmRegistry> {
  await packAll(folder);
  const packed = await readdir(folder);
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    if (request.method === "PUT") {
      await take(request, folder);
      response.writeHead(201).end("{}");
    } else if (path.endsWith(".tgz")) response.end(await readFile(join(folder, basename(path))));
    else {
      const versions = (await manifests(folder)).filter(([{ name }]) => name === path);
      const latest = versions.at(-1)?.[0].version;
      const described = versions.map(([manifest, file]) => [
        manifest.version,
        { ...manifest, dist: { tarball: `${address()}/${file}` } },
      ]);
      response.writeHead(latest ? 200 : 404);
      response.end(JSON.stringify({ name: path, "dist-tags": { latest }, versions: Object.fromEntries(described) }));
    }
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const scopes = ["@maturity", "@acme"].map((scope) => `${scope}:registry=${address()}\n`);
  return {
    npmrc: `${scopes.join("")}${address().replace("http:", "")}/:_authToken=anybody\n`,
    tarballs: new Map((await manifests(folder, packed)).map(([{ name }, file]) => [name, join(folder, file)])),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Keeps what `npm publish` sends. */
async function take(request: IncomingMessage, folder: string): Promise<void> {
  const { _attachments } = (await json(request)) as { _attachments: Record<string, { data: string }> };
  for (const [name, { data }] of Object.entries(_attachments)) {
    await writeFile(join(folder, name.replace("@", "").replace("/", "-")), Buffer.from(data, "base64"));
  }
}

/**
 * The environment of somebody whose settings of npm are these, such as the registry of the packages of this repository. What
 * `npx` keeps is his own, since these versions have other contents in each run; what comes from npm's registry is shared.
 */
export async function npmUser(home: string, settings: string): Promise<NodeJS.ProcessEnv> {
  const cache = join(home, "cache");
  await mkdir(cache, { recursive: true });
  const { stdout } = await run("npm", ["config", "get", "cache"]);
  await mkdir(join(stdout.trim(), "_cacache"), { recursive: true });
  await symlink(join(stdout.trim(), "_cacache"), join(cache, "_cacache"));
  await writeFile(join(home, "npmrc"), `${settings}\ncache=${cache}\nyes=true\n`);
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return { ...Object.fromEntries(own), npm_config_userconfig: join(home, "npmrc") };
}

async function packAll(destination: string): Promise<void> {
  await mkdir(destination);
  const packages = [
    "--filter=./packages/*",
    "--filter=!@maturity/command-line",
    "--filter=!@maturity/report-files",
    "--filter=!@maturity/forge",
    "--filter=!@maturity/gate",
    "--filter=!@maturity/backfill",
    "--filter=!@maturity/yaml",
    "--filter=!@maturity/run-summary",
    "--filter=!@maturity/scorecard-file",
    "--filter=!@maturity/demo",
    "--filter=./services/*",
  ];
  await run("pnpm", ["-r", ...packages, "pack", "--pack-destination", destination], { cwd: repository });
}

/** What the tarballs of the folder say of themselves, by their names. */
async function manifests(folder: string, files?: readonly string[]): Promise<(readonly [Manifest, string])[]> {
  const names = files ?? (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const { stdout } = await run("tar", ["-xzOf", join(folder, name), "package/package.json"]);
      return [JSON.parse(stdout) as Manifest, name] as const;
    }),
  );
}
