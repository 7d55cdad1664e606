import { expect, test } from "vitest";
import { noneWaits } from "./support/alert-rows.ts";
import { useChatServer } from "./support/chat-server.ts";
import { useHolder } from "./support/holder.ts";
import { query } from "./support/postgres.ts";
import { report } from "./support/problem-report.ts";
import { until, useService } from "./support/service.ts";

const tables = ["notification_threads", "notifications", "notification_addresses"] as const;

/** Does somebody hold a row of the table? */
async function isHeld(databaseUrl: string, table: (typeof tables)[number]): Promise<boolean> {
  return query(databaseUrl, `SELECT FROM ${table} FOR UPDATE NOWAIT`).then(
    () => false,
    ({ code }) => {
      expect(code).toBe("55P03"); // lock_not_available
      return true;
    },
  );
}

test.each(tables.map((table, place) => [table, tables.slice(0, place), tables.slice(place + 1)] as const))(
  "the end of a turn that waits for its row of %s holds %j and not %j",
  async (table, before, after) => {
    const answer = Promise.withResolvers<{ ok: true }>();
    const asked = Promise.withResolvers<void>();
    const server = await useChatServer(() => {
      asked.resolve();
      return answer.promise;
    });
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: server.url } });
    const { databaseUrl } = service;
    await report(service);
    await asked.promise;
    const { end } = await useHolder(databaseUrl, `SELECT FROM ${table} FOR UPDATE`);
    answer.resolve({ ok: true });
    const waits = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND datname = current_database() AND application_name = 'maturity-service notifications'`;
    await until(async () => ((await query(databaseUrl, waits)).rowCount ?? 0) > 0);
    for (const one of before) await until(() => isHeld(databaseUrl, one));
    for (const one of after) await until(async () => !(await isHeld(databaseUrl, one)));
    await end("ROLLBACK");
    await until(() => noneWaits(databaseUrl));
    expect(server.calls.length).toBe(1);
  },
);
