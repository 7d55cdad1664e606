import type { Knex } from "knex";
import { Counter, Gauge, type Registry } from "prom-client";

/** Counters of this process. */
export type AlertCounters = Readonly<Record<"sent" | "dead", Counter>>;

/** Registers the counters of alerts that this process sent and gave up. */
export function createAlertCounters(registry: Registry): AlertCounters {
  const count = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
  return {
    sent: count("maturity_alerts_sent_total", "Alerts accepted by the chat service."),
    dead: count(
      "maturity_alerts_dead_total",
      "Alerts given up after the last try, or refused by the chat service; each is counted by one process.",
    ),
  };
}

/**
 * Registers gauges of the alerts that wait and that were given up, by all processes together. While the database does
 * not answer, the gauges have no value.
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
  gauge("maturity_alerts_pending", "Alerts waiting or being sent, over all processes.", "given_up_at IS NULL");
  gauge("maturity_alerts_dead", "Alerts given up and not put back, over all processes.", "given_up_at IS NOT NULL");
}
