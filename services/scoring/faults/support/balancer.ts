import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/** A balancer that sends requests in turn to the instances whose `/healthz` says 200, as they do that are in use. */
export interface Balancer {
  readonly url: string;
  /** Waits until it sends requests to this instance. */
  uses(address: string): Promise<void>;
}

/** How often it asks each instance, in milliseconds. */
const askEveryMs = 250;

/** Headers that are for one connection only. */
const ofConnection = ["connection", "keep-alive", "transfer-encoding"];

/** Puts a balancer before the instances, for one test. A request that an instance does not answer is answered with 502. */
export async function useBalancer(addresses: readonly string[]): Promise<Balancer> {
  const healthy = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  const ended = new AbortController();
  const watching = addresses.map((address) => watch(address, healthy, ended.signal));
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const instances = addresses.filter((address) => healthy.has(address));
    const instance = instances[turn++ % instances.length];
    if (instance === undefined) outgoing.writeHead(503).end("no instance is healthy");
    else forward(instance, agent, incoming, outgoing);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    ended.abort();
    await Promise.all(watching);
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uses: (address) => vi.waitUntil(() => healthy.has(address), { timeout: 30_000, interval: 10 }).then(() => {}),
  };
}

async function watch(address: string, healthy: Set<string>, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const answer = await fetch(`${address}/healthz`, { headers: { connection: "close" } }).catch(() => undefined);
    await answer?.text();
    if (answer?.ok) healthy.add(address);
    else healthy.delete(address);
    await sleep(askEveryMs, undefined, { signal: ended }).catch(() => {});
  }
}

function forward(instance: string, agent: Agent, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming;
  const passedOn = request(
    `${instance}${incoming.url}`,
    { agent, method, headers: withoutConnection(headers) },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers));
      answer.pipe(outgoing);
    },
  );
  passedOn.once("error", (error) => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(`${instance} did not answer: ${error.message}`);
  });
  incoming.pipe(passedOn);
}

function withoutConnection(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.includes(name)));
}
