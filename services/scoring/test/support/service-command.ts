import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Io } from "../../src/commands/command.ts";
import { run, runProgram } from "../../src/commands/program.ts";
import type { Database } from "../../src/store/database.ts";
import { compileCache } from "./compile-cache.ts";

export const main: string = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/**
 * Starts a command of the service, such as `alerts list`, with this environment only.
 *
 * @param stdin a file descriptor; nothing if absent
 * @param directory where it is called; that of the tests if absent
 */
export function startCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  stdin: number | "ignore" = "ignore",
  directory?: string,
): ChildProcess {
  return spawn(process.execPath, ["--conditions=@maturity/source", main, ...args], {
    env: { ...compileCache, ...environment },
    stdio: [stdin, "pipe", "pipe"],
    ...(directory !== undefined && { cwd: directory }),
  });
}

/** What a command left. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the service to its end. */
export async function runCommand(...args: Parameters<typeof startCommand>): Promise<CommandResult> {
  const child = startCommand(...args);
  const written = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.setEncoding("utf8").on("data", (text) => {
      written[stream] += text;
    });
  }
  const [code] = await once(child, "close");
  return { code, ...written };
}

/** Runs a command of the service whose output another program reads, such as `head -n 1`, through a pipe of the shell. */
export function runPiped(
  command: string,
  reader: string,
  environment: Readonly<Record<string, string>>,
): CommandResult {
  const line = `"${process.execPath}" --conditions=@maturity/source "${main}" ${command} | ${reader}; exit \${PIPESTATUS[0]}`;
  const env = { PATH: process.env.PATH, ...compileCache, ...environment };
  const { status: code, stdout, stderr } = spawnSync("bash", ["--norc", "-c", line], { env, encoding: "utf8" });
  return { code, stdout, stderr };
}

/**
 * Runs a program whose output is a connection that its reader resets after the first bytes. Returns the exit code and what
 * it wrote to stderr.
 */
export async function runReset(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: unknown; readonly stderr: string }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const output = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [[reader]] = await Promise.all([once(server, "connection") as Promise<[Socket]>, once(output, "connect")]);
  const child = spawn(process.execPath, ["--conditions=@maturity/source", ...args], {
    env: { ...compileCache, ...env },
    stdio: ["ignore", output, "pipe"],
  });
  const stderr = text(child.stderr as Readable);
  await once(reader, "readable");
  reader.resetAndDestroy();
  const [code] = await once(child, "exit");
  output.destroy();
  server.close();
  return { code, stderr: await stderr };
}

/** Runs a command in this process on a database that is open already, and returns what it prints. */
export async function runOn(
  database: Database,
  args: readonly string[],
  { now = new Date(), ...io }: Partial<Io & { now: Date }> = {},
): Promise<string> {
  const { io: streams, written } = useIo();
  let printed = "";
  await runProgram(args, {
    io: { ...streams, ...io },
    now,
    onDatabase: async (action) => {
      printed += await action(database);
    },
  });
  return written.stdout + printed;
}

/** Runs a command in this process with these settings alone; without any it gets no further than its arguments. */
export async function runWithoutSettings(args: readonly string[], env: Io["env"] = {}): Promise<CommandResult> {
  const { io, written } = useIo();
  return { code: await run(args, { ...io, env }), ...written };
}

/** Streams that are read empty, or keep what is written. */
function useIo(): { io: Io; written: { stdout: string; stderr: string } } {
  const written = { stdout: "", stderr: "" };
  const keep = (name: keyof typeof written) =>
    new Writable({
      write(text, _, done) {
        written[name] += text;
        done();
      },
    });
  return { io: { env: {}, stdin: Readable.from([]), stdout: keep("stdout"), stderr: keep("stderr") }, written };
}
