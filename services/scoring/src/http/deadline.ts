import type { IncomingMessage } from "node:http";
import { commitLimitMs } from "../store/patience.ts";

/** How long work on a request may take. */
export interface Deadline {
  /** Aborted when the time is up, or the caller is gone. Nothing is stored afterwards. */
  readonly signal: AbortSignal;
  /** Stops the clock. */
  hold(): void;
  /** Lets the clock go on. */
  go(): void;
  /** The request was answered, or its caller is gone. */
  end(isAnswered: boolean): void;
}

const deadline: unique symbol = Symbol("deadline");

interface TimedMessage extends IncomingMessage {
  [deadline]?: Deadline;
}

/** The deadline of a request; the first call starts its clock. */
export function deadlineOf(request: TimedMessage): Deadline {
  request[deadline] ??= startDeadline();
  return request[deadline];
}

function startDeadline(): Deadline {
  const controller = new AbortController();
  let [leftMs, since] = [commitLimitMs, 0];
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
      timer = setTimeout(() => controller.abort(new Error("waited too long to be stored")), leftMs).unref();
    },
    end(isAnswered) {
      clearTimeout(timer);
      if (!isAnswered) controller.abort(new Error("the caller is gone"));
    },
  };
  one.go();
  return one;
}
