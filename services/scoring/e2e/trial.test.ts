import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readdir } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { repository } from "../test/support/markdown.ts";
import { freePort } from "../test/support/postgres.ts";
import { until } from "../test/support/service.ts";
import { useDirectory } from "../test/support/service-process.ts";

interface Trial {
  readonly child: ChildProcess;
  /** Where the data of all servers are. */
  readonly directory: string;
  readonly port: number;
  readonly prometheusPort: number;
  readonly exit: Promise<unknown[]>;
}

/** Starts `pnpm trial` from the sources, and waits until all of it runs. */
async function useTrial(): Promise<Trial> {
  const [port, prometheusPort, grafanaPort] = [await freePort(), await freePort(), await freePort()];
  const directory = await useDirectory();
  await chmod(directory, 0o777); // PostgreSQL runs as another user, where root starts it
  const child = spawn(process.execPath, ["--conditions=@maturity/source", join(repository, "scripts/trial.ts")], {
    env: {
      ...process.env,
      ...{ PORT: `${port}`, PROMETHEUS_PORT: `${prometheusPort}`, GRAFANA_PORT: `${grafanaPort}`, TMPDIR: directory },
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exit = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  let written = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    written += text;
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(written);
    return written.includes("Ctrl-C ends all of it");
  });
  expect(written).toContain(`the Board    http://127.0.0.1:${port}/board/\n`);
  expect(written).toContain(`Prometheus   http://127.0.0.1:${prometheusPort}\n`);
  return { child, directory, port, prometheusPort, exit };
}

async function allGone({ directory, port, prometheusPort }: Trial): Promise<void> {
  await until(
    async () => (await readdir(directory)).filter((name) => /^maturity-(trial|postgres)-/.test(name)).length === 0,
  );
  expect(await Promise.all([port, prometheusPort].map(isListening))).toEqual([false, false]);
}

async function isListening(port: number): Promise<boolean> {
  const socket = createConnection(port, "127.0.0.1");
  return await once(socket, "connect").then(
    () => !socket.destroyed && !!socket.destroy(),
    () => false,
  );
}

test("the trial has data, in Prometheus too, and Ctrl-C leaves nothing of it", async () => {
  const trial = await useTrial();
  const apps = await (await fetch(`http://127.0.0.1:${trial.port}/apps?env=prod`)).json();
  expect(apps).toMatchObject({ total: 60 });
  const query = "count(maturity:area_score)";
  await until(async () => {
    const url = `http://127.0.0.1:${trial.prometheusPort}/api/v1/query?query=${encodeURIComponent(query)}`;
    const { data } = (await (await fetch(url)).json()) as { data: { result: { value: [number, string] }[] } };
    return Number(data.result[0]?.value[1]) >= 5;
  });
  trial.child.kill("SIGINT");
  expect(await trial.exit).toEqual([0, null]);
  await allGone(trial);
}, 300_000);

test("a trial whose terminal is gone ends, too", async () => {
  const trial = await useTrial();
  trial.child.kill("SIGKILL");
  await allGone(trial);
}, 300_000);
