import { expect, onTestFinished, type TestContext, vi } from "vitest";
import { type ChatCall, useChatServer } from "../../test/support/chat-server.ts";
import type { LogLine } from "../../test/support/log.ts";
import { freePort } from "../../test/support/postgres.ts";
import { type Exit, type ServiceProcess, useServiceProcess } from "../../test/support/service-process.ts";
import { createLedger, kinds, type Ledger } from "../ledger.ts";
import { type Load, type Outcome, startLoad } from "../load.ts";
import { unannounced } from "./arrival.ts";
import { type Balancer, useBalancer } from "./balancer.ts";
import { noFigures } from "./figures.ts";
import { nameOf } from "./reports.ts";

/** A service under load: what a fault is brought upon. */
export interface Scene {
  readonly instances: readonly Instance[];
  readonly ledger: Ledger;
  /** How many requests so far ended so. */
  readonly counts: Load["counts"];
  /** Says of refused requests why. */
  readonly refusals: Load["refusals"];
  /** Waits until the balancer sends requests to this instance. */
  inUse(instance: Instance): Promise<void>;
  /** Waits until so many more requests have ended so. */
  more(outcome: Outcome, count: number): Promise<void>;
  /**
   * Brings the fault upon the service, waits until each endpoint answers 200 again, and compares what was acknowledged
   * with what the database holds.
   *
   * @param fault returns once it is over, so that nothing keeps the service from answering
   */
  round(fault: () => Promise<void>): Promise<void>;
  /** Ends the load, and waits until there is a message for each report that was acknowledged with an alert. */
  finish(): Promise<void>;
}

/** How long the service may take to answer 200 again: it promises 5 s, and the machine may be busy. */
const backLimitMs = 30_000;

/** How long an alert may take: a process that ends while it sends is noticed after 30 s, and tries have pauses. */
const alertLimitMs = 90_000;

/** Acknowledged requests before each fault. */
const warmUp = 300;

/** A process of the service, which can be started again at the same address. */
export interface Instance {
  readonly address: string;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Ends it with SIGTERM. */
  stop(): Promise<Exit>;
  /** Starts it; it may listen only later. */
  start(): Promise<void>;
  listening(): Promise<unknown>;
  /** The lines of its log, those of the processes before too. */
  log(): LogLine[];
}

export interface SceneOptions {
  /** As the test reaches the database. */
  readonly databaseUrl: string;
  /** As the service reaches it; by default the same. */
  readonly serviceUrl?: string;
  /** How many processes of the service there are; by default one. */
  readonly instances?: number;
  /** Is there a balancer before them? Without one the client tries them in turn. */
  readonly balanced?: boolean;
  /** Makes the token of a request, where the service asks for one. */
  readonly makeToken?: (request: number) => Promise<string>;
  /** More of the service's environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a process of the service, for one test. */
export async function useInstance(environment: Readonly<Record<string, string>>): Promise<Instance> {
  const port = String(await freePort());
  const start = () => useServiceProcess({ ...environment, PORT: port });
  let process: ServiceProcess = await start();
  const processes = [process];
  await process.address();
  return {
    address: `http://127.0.0.1:${port}`,
    async kill() {
      process.kill("SIGKILL");
      await process.exit;
    },
    stop() {
      process.kill("SIGTERM");
      return process.exit;
    },
    async start() {
      process = await start();
      processes.push(process);
    },
    listening: () => process.address(),
    log: () => processes.flatMap(({ log }) => log()),
  };
}

/** Starts the service with alerts on, puts it under load, and takes down the figures of it, for one test. */
export async function useScene({ task }: TestContext, options: SceneOptions): Promise<Scene> {
  const { databaseUrl, serviceUrl = databaseUrl, environment = {} } = options;
  const chat = await useChatServer();
  const instances: Instance[] = [];
  while (instances.length < (options.instances ?? 1)) {
    instances.push(
      await useInstance({
        ...{ DATABASE_URL: serviceUrl, LOG_LEVEL: "fatal", CHAT_BOT_TOKEN: "xoxb-test", CHAT_API_URL: chat.url },
        ...environment,
      }),
    );
  }
  const addresses = instances.map(({ address }) => address);
  let balancer: Balancer | undefined;
  if (options.balanced) {
    balancer = await useBalancer(addresses);
    await Promise.all(addresses.map(balancer.uses));
  }
  const ledger = createLedger();
  const load = startLoad(balancer ? [balancer.url] : addresses, ledger, options.makeToken);
  const figures = noFigures();
  task.meta.figures = figures;
  onTestFinished(async () => {
    await load.stop();
    const { wrong, ...counts } = load.counts;
    const requests = Object.values(counts).reduce((sum, count) => sum + count, wrong);
    const messages = chat.messages().map(reportOf);
    const duplicates = messages.length - new Set(messages).size;
    const slowestMs = Math.ceil(load.slowestMs());
    Object.assign(figures, { ...counts, requests, messages: messages.length, duplicates, slowestMs });
  });

  async function more(outcome: Outcome, count: number): Promise<void> {
    const wanted = load.counts[outcome] + count;
    await vi.waitUntil(() => load.counts[outcome] >= wanted, { timeout: backLimitMs, interval: 10 });
  }

  /** Waits until each endpoint acknowledges a request sent from now on. */
  async function back(): Promise<void> {
    const over = performance.now();
    await vi.waitFor(
      () => {
        const silent = kinds.filter((kind) => load.acknowledgedSince[kind] < over);
        expect({ silent, wrong: load.wrong }).toEqual({ silent: [], wrong: [] });
      },
      { timeout: backLimitMs, interval: 10 },
    );
    figures.backMs = Math.max(figures.backMs, Math.ceil(performance.now() - over));
  }

  async function check(): Promise<void> {
    const lost = await ledger.check(databaseUrl);
    figures.lost += lost.length;
    expect(lost).toEqual([]);
    expect(load.wrong).toEqual([]);
  }

  return {
    instances,
    ledger,
    counts: load.counts,
    refusals: load.refusals,
    inUse: async ({ address }) => balancer?.uses(address),
    more,
    async round(fault) {
      load.resume();
      await more("acknowledged", warmUp);
      await fault();
      await back();
      await load.pause();
      await check();
      figures.rounds++;
    },
    async finish() {
      await load.stop();
      const reports = ledger.sent("problem").map(({ key, value, answer }) => ({ app: key, count: value, ...answer }));
      const missing = () => unannounced(reports, chat.messages().map(reportOf));
      await vi.waitFor(() => expect(missing(), "reports without a message").toEqual([]), {
        timeout: alertLimitMs,
        interval: 100,
      });
      const sent = new Set(reports.map(nameOf));
      const strange = chat
        .messages()
        .map(reportOf)
        .filter((report) => !sent.has(report));
      expect(strange, "messages of reports that were rejected").toEqual([]);
      await check();
    },
  };
}

/**
 * Expects that the load did not feel what was brought upon the service. One in a hundred may be refused: a shared machine may
 * stall for longer than a write may wait.
 */
export function expectUnharmed({ counts, refusals }: Scene): void {
  expect(counts).toMatchObject({ broken: 0, wrong: 0 });
  expect(counts.refused, refusals.join("\n")).toBeLessThanOrEqual(counts.acknowledged / 100);
}

/** Which report a message names: its application, which is the key of the write, and its count. */
function reportOf({ text }: ChatCall): string {
  const [, count, app] = /: (?:(\d+) × )?leak in load\/problem\/(\S+) /.exec(text) ?? [];
  return nameOf({ app: String(app), count: Number(count ?? 0) });
}
