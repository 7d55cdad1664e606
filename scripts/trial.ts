/**
 * What the compose file runs, without Docker: the service on a PostgreSQL with the made-up organisation of the demo,
 * Prometheus with the shipped rules, and Grafana with the shipped dashboards where the machine has them. Everything listens on
 * loopback, and keeps its data in temporary folders that are gone at the end.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

// A terminal sends Ctrl-C to all processes of a group at once, and PostgreSQL would end before the service. So they are a
// group of their own, which learns of the end by losing its parent, however that ends.
const servers = fork(fileURLToPath(new URL("trial-servers.ts", import.meta.url)), process.argv.slice(2), {
  detached: true,
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    if (servers.connected) servers.disconnect();
  });
const [code] = await once(servers, "exit");
process.exitCode = code ?? 1;
