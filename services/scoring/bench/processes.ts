import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedPostgres } from "../test/support/embedded-postgres.ts";
import { addressOf, freePort } from "../test/support/postgres.ts";
import { endNow, endWithProcess } from "./left-overs.ts";

/** Something that was started for the bench. */
export interface Running {
  /** Its address. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * A throw-away PostgreSQL: synchronous_commit and fsync are on, as it ships.
 *
 * @param settings beside those it ships with
 */
export async function startPostgres(
  settings: readonly string[] = ["shared_buffers=512MB", "max_wal_size=4GB"],
): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), "maturity-bench-"));
  const ended = endWithProcess(() => endNow(postmasterOf(directory), "SIGQUIT", directory));
  execFileSync("chmod", ["755", directory]);
  const port = await freePort();
  // While a bench waits for wrk it reads no log, and a server whose log is not read stands still. `log` leaves out errors.
  const postgres = [...settings, "log_min_messages=log"].flatMap((setting) => ["-c", setting]);
  const server = await embeddedPostgres(directory, port, { postgres });
  await server.initialise();
  await server.start();
  return {
    url: addressOf(port),
    pid: postmasterOf(directory) ?? 0,
    async stop() {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
      ended();
    },
  };
}

/** The id of the main process of a PostgreSQL; undefined if it does not run. */
function postmasterOf(directory: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(directory, "data", "postmaster.pid"), "utf8"), 10);
  } catch {
    return undefined;
  }
}

/**
 * The service as it is run, from its source, with these settings beside the defaults.
 *
 * @param repository the clone whose source is run; this one by default
 */
export async function startService(
  databaseUrl: string,
  settings: Record<string, string> = {},
  repository: string = join(import.meta.dirname, "../../.."),
): Promise<Running> {
  const port = await freePort();
  const main = join(repository, "services/scoring/src/main.ts");
  const env = { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port), LOG_LEVEL: "warn", ...settings };
  return start(process.execPath, ["--conditions=@maturity/source", main], port, "/healthz", env);
}

/**
 * Debian's prometheus-pushgateway, or undefined where it is not installed.
 *
 * @param settings beside those it ships with: `--push.disable-consistency-check` lets it take many groups
 */
export async function startPushgateway(...settings: readonly string[]): Promise<Running | undefined> {
  if (!isInstalled("prometheus-pushgateway")) return undefined;
  const port = await freePort();
  const flags = [`--web.listen-address=127.0.0.1:${port}`, "--persistence.file=", "--log.level=error", ...settings];
  return start("prometheus-pushgateway", flags, port, "/-/ready");
}

/**
 * Debian's Prometheus, with its data in a folder of its own.
 *
 * @param configure gets the folder and gives the path of the configuration
 */
export async function startPrometheus(configure: (directory: string) => string): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), "maturity-bench-prometheus-"));
  const ended = endWithProcess(() => endNow(undefined, "SIGKILL", directory));
  const port = await freePort();
  const flags = [
    `--config.file=${configure(directory)}`,
    `--storage.tsdb.path=${join(directory, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--log.level=error",
  ];
  const running = await start("prometheus", flags, port, "/-/ready");
  return {
    ...running,
    async stop() {
      await running.stop();
      rmSync(directory, { recursive: true, force: true });
      ended();
    },
  };
}

/** A hapi server that reads the bodies of POST /score, and does nothing with them. */
export async function startBareServer(): Promise<Running> {
  const port = await freePort();
  const script = join(import.meta.dirname, "bare-server.ts");
  return start(process.execPath, ["--conditions=@maturity/source", script, String(port)], port, "/ready");
}

/** A process that serves so many series from prom-client's Gauge. */
export async function startPromClient(series: number): Promise<Running> {
  const port = await freePort();
  const script = join(import.meta.dirname, "prom-client-server.ts");
  return start(process.execPath, [script, String(port), String(series)], port, "/ready");
}

export function isInstalled(command: string): boolean {
  try {
    execFileSync("which", [command], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Memory the process has in use, in MB. */
export function residentMegabytes({ pid }: Running): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Time the process has spent on the processors, in microseconds; Linux counts it in hundredths of a second. */
export function processorMicroseconds({ pid }: Pick<Running, "pid">): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 13) ?? [];
  return (Number(user) + Number(system)) * 10_000;
}

/**
 * Time that the processes of a PostgreSQL have spent on the processors, in microseconds: of those that run, and of those
 * that have ended.
 */
export function childrenMicroseconds(parent: Pick<Running, "pid">): number {
  const ended = statOf(parent.pid).slice(13, 15);
  const running = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => statOf(Number(entry)))
    .filter((fields) => fields[1] === String(parent.pid))
    .flatMap((fields) => fields.slice(11, 13));
  const ticks = [...ended, ...running].reduce((sum, field) => sum + Number(field), 0);
  return processorMicroseconds(parent) + ticks * 10_000;
}

/** The fields of /proc/PID/stat after the name; none if the process has just ended. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  } catch {
    return [];
  }
}

async function start(
  command: string,
  args: readonly string[],
  port: number,
  readyPath: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Running> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "ignore"] });
  const ended = endWithProcess(() => endNow(child.pid, "SIGKILL"));
  child.once("close", ended);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode} before it was ready`);
    const ready = await fetch(url + readyPath).catch(() => undefined);
    if (ready?.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, pid: child.pid ?? 0, stop: () => stop(child) };
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("close", () => resolve());
    child.kill("SIGINT");
  });
}
