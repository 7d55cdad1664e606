import type { IncomingMessage } from "node:http";
import { overloaded, ServiceError } from "../model/errors.ts";
import { storeError } from "../store/failures.ts";
import { commitLimitMs } from "../store/patience.ts";
import { classOf } from "./request-class.ts";

/** The time limit of a request. */
export interface Deadline {
  /** Aborted when the time is up or the connection is closed. Afterwards nothing is begun or stored. */
  readonly signal: AbortSignal;
  /** Pauses the clock. */
  hold(): void;
  /** Resumes the clock. */
  go(): void;
  /** Called when the request was answered or its connection closed. */
  end(isAnswered: boolean): void;
}

/** How long a read waits for its slot and its computation, in milliseconds. */
const readLimitMs = 10_000;

/** How long a scrape waits for its snapshot to begin, in milliseconds. */
const scrapeLimitMs = 30_000;

const deadline: unique symbol = Symbol("deadline");

interface TimedMessage extends IncomingMessage {
  [deadline]?: Deadline;
}

/** The deadline of a request; the first call starts its clock. */
export function deadlineOf(request: TimedMessage): Deadline {
  request[deadline] ??= startDeadline(request);
  return request[deadline];
}

function startDeadline(request: IncomingMessage): Deadline {
  const { limitMs, late } = terms[classOf(request)];
  const controller = new AbortController();
  let [leftMs, since] = [limitMs, 0];
  let timer: NodeJS.Timeout | undefined;
  const one: Deadline = {
    signal: controller.signal,
    hold() {
      if (!timer) return;
      clearTimeout(timer);
      timer = undefined;
      leftMs -= performance.now() - since;
    },
    go() {
      if (timer) return;
      since = performance.now();
      timer = setTimeout(() => controller.abort(late()), leftMs).unref();
    },
    end(isAnswered) {
      clearTimeout(timer);
      if (!isAnswered) controller.abort(new ServiceError("overloaded", "the caller is gone"));
    },
  };
  one.go();
  return one;
}

const terms = {
  reports: { limitMs: commitLimitMs, late: () => storeError(new Error("waited too long to be stored")) },
  reads: { limitMs: readLimitMs, late: overloaded },
  scrapes: { limitMs: scrapeLimitMs, late: overloaded },
};

/** Waits for an answer until the signal is aborted. @throws the reason of the signal */
export function whileAwaited<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  return promise;
}
