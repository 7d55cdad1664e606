import { setTimeout as sleep } from "node:timers/promises";
import type { ChatCall } from "../../test/support/chat-server.ts";
import { isConnectionRefused } from "../../test/support/connection-refused.ts";

/** A report of a problem that was sent, and what came of it. */
export interface Report {
  readonly app: string;
  readonly channel: string;
  /** Names the report among those of its application; 0 resolves the problem. */
  readonly count: number;
  /** `unsent` when nobody took the connection, `unknown` when it broke before the answer. */
  outcome: "acknowledged" | "refused" | "rejected" | "unsent" | "unknown";
  /** What became of the alert, by the answer. */
  alert?: string;
  /** When the problem was opened, by the answer. */
  openedAt?: string;
}

/** Scanners that report without pause, whatever they are answered. */
export interface Reporters {
  readonly reports: readonly Report[];
  /** What was answered beside 200, 400 where it is due, and 503. */
  readonly wrong: readonly string[];
  stop(): Promise<void>;
}

export interface ReportersOptions {
  readonly addresses: readonly string[];
  /** How many scanners there are; each has a channel to itself. */
  readonly scanners: number;
  /** Between the answer to a report and the next one of the scanner. */
  readonly pauseMs: number;
  /** Is every report of an application of its own? By default a scanner has one, resolves every fifth time, and is wrong every seventh. */
  readonly once?: true;
}

/** Starts to report. */
export function startReporters({ addresses, scanners, pauseMs, once }: ReportersOptions): Reporters {
  const reports: Report[] = [];
  const wrong: string[] = [];
  let stopped = false;

  async function report(scanner: number, turn: number): Promise<void> {
    const count = !once && turn % 5 === 4 ? 0 : turn + 1;
    const app = once ? `app-${scanner}-${turn}` : `app-${scanner}`;
    const report: Report = { app, channel: `#${scanner}`, count, outcome: "unknown" };
    reports.push(report);
    const faulty = !once && turn % 7 === 6;
    try {
      const url = `${addresses[(scanner + turn) % addresses.length]}/problem/scan-result`;
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body(report, faulty)),
      });
      const answer = (await response.json()) as { opened_at?: string; alert?: string };
      if (response.status === 200 && !faulty)
        Object.assign(report, {
          ...{ outcome: "acknowledged", alert: answer.alert, openedAt: answer.opened_at ?? undefined },
        });
      else if (response.status === 400 && faulty) report.outcome = "rejected";
      else if (response.status === 503) report.outcome = "refused";
      else wrong.push(`${response.status} ${JSON.stringify(answer)}`);
    } catch (error) {
      if (isConnectionRefused(error)) report.outcome = "unsent";
      await sleep(pauseMs);
    }
  }

  async function scan(scanner: number): Promise<void> {
    for (let turn = 0; !stopped; turn++) {
      await report(scanner, turn);
      await sleep(pauseMs);
    }
  }

  const ended = Promise.all(Array.from({ length: scanners }, (_, scanner) => scan(scanner)));
  return {
    reports,
    wrong,
    async stop() {
      stopped = true;
      await ended;
    },
  };
}

function body({ app, channel, count }: Report, faulty: boolean): object {
  const key = { area: "faults", team: "alerts", app, env: "test", problem_type: "leak" };
  return { ...key, severity: faulty ? "terrible" : "high", count, chat_channel: channel };
}

/** The name of the report that a message is about, as `nameOf` gives it. */
export function announcedBy({ text }: Pick<ChatCall, "text">): string {
  const [, count = 0, app] = /(?:(\d+) × )?leak in faults\/alerts\/(\S+) /.exec(text) ?? [];
  return `${app} ${count}`;
}

export function nameOf({ app, count }: Pick<Report, "app" | "count">): string {
  return `${app} ${count}`;
}
