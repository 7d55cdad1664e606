import { createServer } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Gauge, Registry } from "prom-client";
import { organisation } from "./organisation.ts";

/** What a service would be that keeps its scores in prom-client: `prom-client-server.ts PORT SERIES`. */
const [port, series] = process.argv.slice(2).map(Number);
const registry = new Registry();
const gauge = new Gauge({
  name: "maturity_score",
  help: "Latest score of a metric of an application, 0 to 100.",
  labelNames: ["area", "team", "app", "env", "scorecard", "metric"],
  registers: [registry],
});
for (const { score, ...labels } of organisation(series ?? 0)) gauge.set(labels, score);

const compress = promisify(gzip);
createServer(async (request, response) => {
  if (request.url === "/ready") return void response.end();
  const body = await compress(await registry.metrics(), { level: 1 });
  response.setHeader("content-encoding", "gzip").end(body);
}).listen(port, "127.0.0.1");
