import type { Knex } from "knex";
import { Counter, Gauge, type Registry } from "prom-client";

/** Counters of this instance. */
export type AlertCounters = Readonly<Record<"sent" | "dead", Counter>>;

/** Registers the counters of alerts that this instance sent or made dead letters. */
export function createAlertCounters(registry: Registry): AlertCounters {
  const count = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
  return {
    sent: count("maturity_alerts_sent_total", "Alerts accepted by the chat service."),
    dead: count(
      "maturity_alerts_dead_total",
      "Alerts that became dead letters, after the last try or a refusal by the chat service; each is counted by one process.",
    ),
  };
}

/**
 * Registers the gauges of waiting alerts and dead letters, over all instances. They have no value while the database does
 * not answer.
 */
export function watchQueue(registry: Registry, alerts: Knex): void {
  const gauge = (name: string, help: string, condition: string) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.remove();
        await alerts.raw(`SELECT count(*)::int AS count FROM alerts WHERE ${condition}`).then(
          ({ rows }) => this.set(rows[0].count),
          () => {},
        );
      },
    });
  gauge("maturity_alerts_pending", "Alerts waiting or being sent, over all processes.", "dead_since IS NULL");
  gauge("maturity_alerts_dead", "Dead letters that were not put back, over all processes.", "dead_since IS NOT NULL");
}
