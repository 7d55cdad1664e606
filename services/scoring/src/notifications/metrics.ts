import type { Knex } from "knex";
import { Counter, Gauge, type Registry } from "prom-client";

/** Counters of this instance, by destination. */
export type NotificationCounters = Readonly<Record<"sent" | "dead", Counter<"destination">>>;

/** Registers the counters of notifications that this instance sent or made dead letters. */
export function createCounters(registry: Registry, destinations: readonly string[]): NotificationCounters {
  const count = (name: string, help: string) => {
    const counter = new Counter({ name, help, labelNames: ["destination"], registers: [registry] });
    for (const destination of destinations) counter.inc({ destination }, 0);
    return counter;
  };
  return {
    sent: count("maturity_notifications_sent_total", "Notifications accepted by their destination."),
    dead: count(
      "maturity_notifications_dead_total",
      "Notifications that became dead letters, after the last try or a refusal by their destination; each is counted by one process.",
    ),
  };
}

/**
 * Registers the gauges of waiting notifications and dead letters, over all instances. They have no value while the database
 * does not answer.
 */
export function watchOutbox(registry: Registry, knex: Knex, destinations: readonly string[]): void {
  const gauge = (name: string, help: string, condition: string) =>
    new Gauge({
      name,
      help,
      labelNames: ["destination"],
      registers: [registry],
      async collect() {
        this.reset();
        const counted = knex.raw(
          `SELECT destination, count(*)::int AS count FROM notifications WHERE ${condition} GROUP BY destination`,
        );
        await counted.then(
          ({ rows }) => {
            for (const destination of destinations) this.set({ destination }, 0);
            for (const { destination, count } of rows) this.set({ destination }, count);
          },
          () => {},
        );
      },
    });
  gauge(
    "maturity_notifications_pending",
    "Notifications waiting or being sent, over all processes.",
    "dead_since IS NULL",
  );
  gauge(
    "maturity_notifications_dead",
    "Dead letters that were not put back, over all processes.",
    "dead_since IS NOT NULL",
  );
}
