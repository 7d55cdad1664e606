import { setTimeout as sleep } from "node:timers/promises";
import { isConnectionRefused } from "../test/support/connection-refused.ts";
import { type Kind, type Ledger, rowsOf } from "./ledger.ts";

/** What became of one request. */
export type Outcome =
  | "acknowledged" // 200
  | "refused" // 503 with Retry-After
  | "broken" // no answer: the connection was refused or broke
  | "rejected" // 400, as the request was faulty
  | "wrong"; // anything else

/** A client that writes without pause, and keeps writing whatever it is answered. */
export interface Load {
  /** How many requests so far ended so. */
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Says of wrong outcomes what they were. */
  readonly wrong: readonly string[];
  /** Says of refused requests why. */
  readonly refusals: readonly string[];
  /** When the last acknowledged request to each endpoint was sent, by `performance.now()`. */
  readonly acknowledgedSince: Readonly<Record<Kind, number>>;
  /** The longest that an answer took, in milliseconds. */
  slowestMs(): number;
  /** Sends no more until `resume`, and waits for the answers that are due. */
  pause(): Promise<void>;
  resume(): void;
  /** Ends it for good. */
  stop(): Promise<void>;
}

/** An answer that takes longer is wrong: the service promises one within 5 s, and the machine may be busy. */
const answerLimitMs = 20_000;

/** More are only counted. */
const shown = 20;

/** One of so many writes is to a key of its own, which is never written again. */
const newKeyEvery = 3;

/** Keys that a worker writes again and again. */
const keysOfWorker = 5;

interface Worker {
  readonly kind: Kind;
  /** How many of them there are. */
  readonly count: number;
  /** Between the end of a request and the next. */
  readonly pauseMs: number;
  /** Do its reports name a channel? */
  readonly alerts?: true;
  /** Are its reports to be rejected? */
  readonly faulty?: true;
}

const workers: readonly Worker[] = [
  { kind: "score", count: 6, pauseMs: 50 },
  { kind: "scores", count: 3, pauseMs: 80 },
  { kind: "problem", count: 3, pauseMs: 60 },
  { kind: "problem", count: 1, pauseMs: 250, alerts: true },
  { kind: "problem", count: 1, pauseMs: 600, faulty: true },
];

/** Channels that alerts go to, since each takes one message a second at most. */
const channels = 8;

/**
 * Starts to write. A request that one address does not take is sent to the next.
 *
 * @param makeToken makes the token of a request, where the service asks for one
 */
export function startLoad(
  addresses: readonly string[],
  ledger: Ledger,
  makeToken?: (request: number) => Promise<string>,
): Load {
  const counts = { acknowledged: 0, refused: 0, broken: 0, rejected: 0, wrong: 0 };
  const wrong: string[] = [];
  const refusals: string[] = [];
  const acknowledgedSince = { score: 0, scores: 0, problem: 0 };
  let slowestMs = 0;
  let lastValue = 0;
  let requests = 0;
  let stopped = false;
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const underWay = new Set<Promise<void>>();

  /**
   * Sends a request to one address after the other until one takes it, and counts what became of it each time.
   *
   * @returns the answer 200, or whether the request reached anybody
   */
  async function send({ kind, body, faulty }: Request, turn: number): Promise<Answer | "lost" | "unsent"> {
    const token = await makeToken?.(requests++);
    let end: "lost" | "unsent" = "unsent";
    for (const index of addresses.keys()) {
      const sentAt = performance.now();
      const url = `${addresses[(turn + index) % addresses.length]}${paths[kind]}`;
      const answer = await post({ url, body, token, faulty });
      slowestMs = Math.max(slowestMs, performance.now() - sentAt);
      counts[answer.outcome]++;
      if (answer.outcome === "wrong" && wrong.length < shown) wrong.push(`${paths[kind]}: ${answer.text}`);
      if (!answer.unsent) end = "lost";
      if (answer.outcome === "refused" && refusals.length < shown) refusals.push(`${paths[kind]}: ${answer.text}`);
      if (answer.outcome === "rejected") return end;
      if (answer.outcome !== "acknowledged") continue;
      acknowledgedSince[kind] = Math.max(acknowledgedSince[kind], sentAt);
      return JSON.parse(answer.text);
    }
    return end;
  }

  async function writeOnce({ kind, alerts, faulty }: Worker, key: string, turn: number): Promise<void> {
    const resolves = kind === "problem" && turn % 4 === 3;
    const value = resolves ? 0 : ++lastValue;
    if (faulty) return void (await send({ kind, body: { ...bodies[kind](key, value), count: -1 }, faulty }, turn));
    const body = { ...bodies[kind](key, value), ...(alerts && { chat_channel: `#${turn % channels}` }) };
    const write = ledger.add(kind, key, value);
    const answer = await send({ kind, body }, turn);
    if (answer === "unsent") write.unsent = true;
    else if (answer !== "lost") write.answer = answer;
  }

  async function work(worker: Worker, name: string): Promise<void> {
    for (let turn = 0; ; turn++) {
      await gate.promise;
      if (stopped) return;
      const key = turn % newKeyEvery === 0 ? `${name}-once-${turn}` : `${name}-${turn % keysOfWorker}`;
      const request = writeOnce(worker, key, turn);
      underWay.add(request);
      await request;
      underWay.delete(request);
      await sleep(worker.pauseMs);
    }
  }

  const ended = Promise.all(
    workers.flatMap((worker, index) =>
      Array.from({ length: worker.count }, (_, instance) => work(worker, `${index}-${instance}`)),
    ),
  );
  const pause = async () => {
    gate = Promise.withResolvers();
    await Promise.all(underWay);
  };
  return {
    counts,
    wrong,
    refusals,
    acknowledgedSince,
    slowestMs: () => slowestMs,
    pause,
    resume: () => gate.resolve(),
    async stop() {
      stopped = true;
      gate.resolve();
      await ended;
    },
  };
}

interface Request {
  readonly kind: Kind;
  readonly body: object;
  readonly faulty?: true;
}

interface Answer {
  readonly score?: number;
  readonly alert?: string;
}

const paths: Readonly<Record<Kind, string>> = {
  score: "/score",
  scores: "/scores",
  problem: "/problem/scan-result",
};

/** What each endpoint takes for a value of a key. */
const bodies: Readonly<Record<Kind, (key: string, value: number) => object>> = {
  score: (key, value) => submission("score", key, value, 0),
  scores: (key, value) => ({
    scores: Array.from({ length: rowsOf.scores }, (_, row) => submission("scores", key, value, row)),
  }),
  problem: (key, count) => ({
    ...target("problem", key, 0),
    ...{ problem_type: "leak", severity: "high", count, details: count > 0 ? [{ file: "main.tf", line: count }] : [] },
  }),
};

function submission(kind: Kind, key: string, minutes: number, row: number): object {
  return { ...target(kind, key, row), scorecard: "reliability", metric: "mttr", raw: { minutes } };
}

function target(kind: Kind, key: string, row: number): object {
  return { area: "load", team: kind, app: key, env: `env-${row}` };
}

interface Post {
  readonly url: string;
  readonly body: object;
  readonly token: string | undefined;
  /** Must it be answered with 400? */
  readonly faulty: boolean | undefined;
}

interface Ending {
  readonly outcome: Outcome;
  readonly text: string;
  /** Did nobody take the connection? */
  readonly unsent?: boolean;
}

/** Sends one request and says what became of it. */
async function post({ url, body, token, faulty = false }: Post): Promise<Ending> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerLimitMs),
    });
    const text = await response.text();
    if (response.status === 200 && !faulty) return { outcome: "acknowledged", text };
    if (response.status === 400 && faulty) return { outcome: "rejected", text };
    if (response.status === 503 && response.headers.has("retry-after")) return { outcome: "refused", text };
    return { outcome: "wrong", text: `${response.status} ${text}` };
  } catch (error) {
    const late = error instanceof Error && error.name === "TimeoutError";
    if (late) return { outcome: "wrong", text: `no answer in ${answerLimitMs} ms` };
    return { outcome: "broken", text: "", unsent: isConnectionRefused(error) };
  }
}
