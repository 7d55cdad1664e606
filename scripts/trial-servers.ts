import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dataDirectory, embeddedPostgres } from "../services/scoring/test/support/embedded-postgres.ts";

const deploy = fileURLToPath(new URL("../services/scoring/deploy", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "maturity-trial-"));
/** Set once a server has ended by itself, which ends the trial. */
let ended: Error | undefined;
/** What ends the servers that have started, the first of them last. */
const stops: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];

const left = new Promise<void>((resolve) => void process.once("disconnect", resolve));
try {
  await Promise.race([start(), left]);
  await left;
} catch (error) {
  process.stderr.write(`the trial ends: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
for (const stop of stops.reverse()) await stop();
process.exit();

async function start(): Promise<void> {
  const { env } = process;
  const [port, prometheusPort, grafanaPort, databasePort] = [
    await portOr(env.PORT || 8080),
    await portOr(env.PROMETHEUS_PORT || 9090),
    await portOr(env.GRAFANA_PORT || 3000),
    await portOr(0),
  ];
  const directory = dataDirectory();
  const postgres = await embeddedPostgres(directory, databasePort, { postgres: ["-c", "listen_addresses=127.0.0.1"] });
  await postgres.initialise();
  stops.push(() => postgres.stop());
  await postgres.start();

  const service = {
    DATABASE_URL: `postgres://postgres:postgres@127.0.0.1:${databasePort}/postgres`,
    ...{
      HOST: "127.0.0.1",
      PORT: String(port),
      LOG_LEVEL: "warn",
      PATH: env.PATH,
      NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE,
    },
  };
  const isSource = process.execArgv.includes("--conditions=@maturity/source");
  const main = fileURLToPath(
    new URL(`../services/scoring/${isSource ? "src/main.ts" : "dist/main.js"}`, import.meta.url),
  );
  const command = [...process.execArgv, main];
  process.stderr.write("Storing a made-up organisation in a PostgreSQL of the trial…\n");
  await succeeds(
    spawn(process.execPath, [...command, "demo"], { env: service, stdio: ["ignore", "ignore", "inherit"] }),
  );
  run("the service", spawn(process.execPath, command, { env: service, stdio: ["ignore", "ignore", "inherit"] }));
  await answers(`http://127.0.0.1:${port}/healthz`);

  const prometheus = await startPrometheus(prometheusPort, port);
  const grafana = await startGrafana(grafanaPort, prometheusPort);
  process.stderr.write(`
The trial runs:
  the Board    http://127.0.0.1:${port}/board/
  the API      http://127.0.0.1:${port}/docs/api
  Prometheus   ${prometheus ?? "not started: there is no program `prometheus` (apt-get install prometheus)"}
  Grafana      ${grafana ?? "not started: there is no program `grafana`; the compose file has it"}
Ctrl-C ends all of it and deletes its data.
`);
}

/** @returns its address, or undefined if it is not installed */
async function startPrometheus(port: number, servicePort: number): Promise<string | undefined> {
  const shipped = await readFile(join(deploy, "prometheus/prometheus.yml"), "utf8");
  const file = join(folder, "prometheus.yml");
  const rules = shipped.replaceAll("- maturity.", `- ${join(deploy, "prometheus")}/maturity.`);
  await writeFile(file, rules.replaceAll("127.0.0.1:8080", `127.0.0.1:${servicePort}`));
  const options = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, "prometheus")}`];
  const listen = `--web.listen-address=127.0.0.1:${port}`;
  const child = spawn("prometheus", [...options, listen, "--log.level=error"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (!(await isThere(child))) return undefined;
  run("Prometheus", child);
  await answers(`http://127.0.0.1:${port}/-/ready`);
  return `http://127.0.0.1:${port}`;
}

/** @returns its address, or undefined if it is not installed */
async function startGrafana(port: number, prometheusPort: number): Promise<string | undefined> {
  const provisioning = join(folder, "grafana/provisioning");
  await cp(join(deploy, "grafana/provisioning"), provisioning, { recursive: true });
  const dashboards = join(deploy, "grafana/dashboards");
  await replaceIn(join(provisioning, "datasources/prometheus.yaml"), "prometheus:9090", `127.0.0.1:${prometheusPort}`);
  await replaceIn(join(provisioning, "dashboards/maturity.yaml"), "/etc/grafana/dashboards", dashboards);
  const child = spawn("grafana", ["server", "--homepath", "/usr/share/grafana"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH,
      GF_SERVER_HTTP_ADDR: "127.0.0.1",
      GF_SERVER_HTTP_PORT: String(port),
      GF_PATHS_DATA: join(folder, "grafana/data"),
      GF_PATHS_LOGS: join(folder, "grafana/logs"),
      GF_PATHS_PROVISIONING: provisioning,
      GF_AUTH_ANONYMOUS_ENABLED: "true",
      GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH: join(dashboards, "organisation.json"),
    },
  });
  if (!(await isThere(child))) return undefined;
  run("Grafana", child);
  await answers(`http://127.0.0.1:${port}/api/health`);
  return `http://127.0.0.1:${port}`;
}

async function replaceIn(file: string, text: string, by: string): Promise<void> {
  const content = await readFile(file, "utf8");
  if (!content.includes(text)) throw new Error(`${file} does not hold ${text}`);
  await writeFile(file, content.replaceAll(text, by));
}

/** Whether the program exists. */
async function isThere(child: ChildProcess): Promise<boolean> {
  try {
    await once(child, "spawn");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

/** Ends a server with the trial, and the trial with the server. */
function run(name: string, child: ChildProcess): void {
  const exit = once(child, "exit");
  const stop = async () => {
    child.off("exit", onExit);
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await exit;
  };
  const onExit = (code: number | null) => {
    ended = new Error(`${name} has ended with ${code}`);
    process.stderr.write(`${ended.message}\n`);
    process.exitCode = 1;
    if (process.connected) process.disconnect();
  };
  child.once("exit", onExit);
  stops.push(stop);
}

async function succeeds(child: ChildProcess): Promise<void> {
  const kill = async () => void child.kill("SIGKILL");
  stops.push(kill);
  const [code] = await once(child, "exit");
  stops.splice(stops.indexOf(kill), 1);
  if (code !== 0) throw new Error("the made-up organisation could not be stored");
}

/** Waits until the address answers with success. */
async function answers(url: string): Promise<void> {
  for (;;) {
    if (ended) throw ended;
    if ((await fetch(url).catch(() => undefined))?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** This port, or any other if somebody uses it; with 0 any. */
async function portOr(wanted: number | string): Promise<number> {
  const server = createServer().listen(Number(wanted), "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return portOr(0);
  }
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
