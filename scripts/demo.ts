/**
 * Runs the service on a made-up organisation, in memory and on loopback. With `--sign-in` it also runs an OpenID provider
 * at which three people can sign in.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startOpenIdProvider } from "../services/scoring/test/support/openid-provider.ts";
import { people, signInConfig } from "./demo-people.ts";

const given = process.argv.slice(2);
// Whatever else is given is for the command of the service, which says what is wrong with it.
const others = given.filter((word) => word !== "--sign-in");
process.exitCode = others.length < given.length ? await runWithProvider() : await run(others, process.env);

/** Runs the service until a signal ends it. @returns its exit code */
async function run(args: readonly string[], env: NodeJS.ProcessEnv, onListening = () => {}): Promise<number> {
  const isSource = process.execArgv.includes("--conditions=@maturity/source");
  const main = new URL(`../services/scoring/${isSource ? "src/main.ts" : "dist/main.js"}`, import.meta.url);
  const service = spawn(process.execPath, [...process.execArgv, fileURLToPath(main), "demo", "--serve", ...args], {
    env,
    stdio: ["inherit", "inherit", "pipe"],
  });
  // A terminal sends Ctrl-C to both processes, but `kill` sends a signal to this one alone. The service counts it once.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => service.kill(signal));
  let written = "";
  service.stderr.on("data", (bytes) => {
    process.stderr.write(bytes);
    const wasListening = written.includes("listens on");
    written += bytes;
    if (!wasListening && written.includes("listens on")) onListening();
  });
  const [code] = await once(service, "close");
  return code ?? 1;
}

async function runWithProvider(): Promise<number> {
  const port = Number(process.env.PORT || 8080) || (await freePort());
  const provider = await startOpenIdProvider({ people });
  provider.trust(`http://127.0.0.1:${port}`, `http://localhost:${port}`);
  const directory = await mkdtemp(join(tmpdir(), "maturity-demo-"));
  try {
    const file = join(directory, "oidc.yaml");
    await writeFile(file, signInConfig(provider));
    const env = { LOG_LEVEL: "warn", ...process.env, HOST: "127.0.0.1", PORT: String(port) };
    return await run(["--oidc-config", file, ...others], env, () =>
      process.stderr.write(introduction(port, provider.url)),
    );
  } finally {
    await rm(directory, { recursive: true });
    await provider.stop();
  }
}

/** A port for a service whose address must be known before it listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

function introduction(port: number, provider: string): string {
  const lines = people.map(({ name, about }) => `  ${name.padEnd(16)}${about}`);
  return `Sign in at http://127.0.0.1:${port}/board/ by a click, as one of these people:
${lines.join("\n")}
The OpenID provider is ${provider}. Two browsers, or a private window, hold two people at once. Ctrl-C ends both servers.
`;
}
