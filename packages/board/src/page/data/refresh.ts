import { computed, effect, type ReadonlySignal } from "@preact/signals";
import { untilRefresh } from "./pace.ts";
import { shown } from "./reading.ts";

/** From one refresh to the next while the service does not answer, in milliseconds. */
export const paceOfRetries = 5_000;

/** Since when what is on the screen holds, in milliseconds since 1970, and whether newer answers fail to come. */
export const standing: ReadonlySignal<{ readonly at: number | undefined; readonly retrying: boolean }> = computed(
  () => {
    const readings = shown.value;
    const times = readings.flatMap(({ holdsAt }) => holdsAt.value ?? []);
    return {
      at: times.length > 0 ? Math.min(...times) : undefined,
      retrying: readings.some(({ failure }) => isPassing(failure.value?.status) && failure.value !== undefined),
    };
  },
);

/** Nothing came back, or what says that it is the service's own trouble: to ask again may help. */
export function isPassing(status: number | undefined): boolean {
  return status === undefined || status >= 500 || status === 429;
}

/** Asks again for what is on the screen. */
export async function refreshAll(): Promise<void> {
  await Promise.all(shown.peek().map((reading) => reading.refresh()));
}

/** Keeps what is on the screen up to date while somebody can see it. */
export function keepFresh(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    if (document.hidden) return;
    const random = Math.random();
    // Pages do not ask all at once after an outage either.
    const rest = standing.peek().retrying ? paceOfRetries * (0.8 + random * 0.4) : untilRefresh(Date.now(), random);
    timer = setTimeout(run, rest);
  };
  const run = async () => {
    clearTimeout(timer);
    // Whatever goes wrong, the page goes on asking.
    await refreshAll().finally(wait);
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : void run()));
  addEventListener("online", () => void run());
  // What fails between two refreshes is asked for again as soon as what fails in one.
  const retrying = computed(() => standing.value.retrying);
  effect(() => {
    void retrying.value;
    wait();
  });
}
