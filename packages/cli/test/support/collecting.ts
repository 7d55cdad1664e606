import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject, onTestFinished } from "vitest";
import { compileCache } from "../../../../services/scoring/test/support/compile-cache.ts";
import { query, withDatabase } from "../../../../services/scoring/test/support/postgres.ts";
import { useDirectory } from "../../../../test-support/trees.ts";
import { maturity, type Result } from "./cli.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** Runs `maturity collect` with a file of this content, in this process. */
export async function collect(
  file: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const cwd = await useDirectory();
  await writeFile(join(cwd, "collect.yaml"), file);
  return maturity(["collect", "collect.yaml", ...flags], { cwd, env });
}

/** `maturity collect` as a process that goes on, for one test. */
export async function useCollecting(
  file: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ stdout(): string; stop(): void; readonly exit: Promise<number | null> }> {
  const cwd = await useDirectory();
  await writeFile(join(cwd, "collect.yaml"), file);
  const parameters = ["--conditions=@maturity/source", main, "collect", "collect.yaml", ...flags];
  const child = spawn(process.execPath, parameters, {
    cwd,
    env: { ...compileCache, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  const exit = once(child, "close").then(([code]) => code);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  return { stdout: () => stdout, stop: () => void child.kill("SIGTERM"), exit };
}

/** A database of PostgreSQL in which statements were run, for one test. */
export async function useTables(sql: string): Promise<string> {
  const server = inject("postgresUrl");
  const name = `collect_${randomUUID().replaceAll("-", "")}`;
  await query(server, `CREATE DATABASE ${name}`);
  onTestFinished(async () => void (await query(server, `DROP DATABASE ${name} WITH (FORCE)`)));
  const url = withDatabase(server, name);
  await query(url, sql);
  return url;
}

/** The tables that the recipes ask. */
export const operations = `
  CREATE TABLE incidents (area text, team text, app text, env text,
    began_at timestamptz, detected_at timestamptz, recovered_at timestamptz);
  INSERT INTO incidents SELECT 'shop', 'checkout', app, env, began_at, began_at + detected, began_at + recovered
  FROM (VALUES
    ('cart', 'prod', now() - interval '3 days', interval '4 minutes', interval '60 minutes'),
    ('cart', 'prod', now() - interval '2 days', interval '6 minutes', interval '120 minutes'),
    ('cart', 'prod', now() - interval '200 days', interval '9 days', interval '10 days'),
    ('cart', 'dev', now() - interval '2 days', interval '9 days', interval '10 days'),
    ('till', 'prod', now() - interval '1 day', interval '10 minutes', NULL)
  ) AS incident (app, env, began_at, detected, recovered);
  CREATE TABLE deployments (area text, team text, app text, env text, deployed_at timestamptz, failed boolean);
  INSERT INTO deployments SELECT 'shop', 'checkout', 'cart', 'prod', now() - interval '1 day' * day, day = 1
  FROM generate_series(1, 8) AS day;
`;

/** A server on a free port, and the requests it got. */
export interface TestServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  stop(): void;
}

export async function startServer(listener: RequestListener): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** `startServer` for one test. */
export async function useServer(listener: RequestListener): Promise<TestServer> {
  const server = await startServer(listener);
  onTestFinished(() => server.stop());
  return server;
}

/** A file with one query of SQL for each name. */
export function sqlFile(team: string, queries: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    sources: { database: { postgres: "${DATABASE}" } },
    target: { area: "shop", team, app: "$app", env: "prod" },
    queries: Object.entries(queries).map(([name, query]) => ({
      name,
      source: "database",
      query,
      metric: name.split(" ")[0],
      raw: name.startsWith("sla") ? { availability_pct: "$value" } : { minutes: "$value" },
    })),
  });
}
