import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "./postgres.ts";
import { until } from "./service.ts";
import { useDirectory } from "./service-process.ts";

/**
 * Starts Debian's nginx for one test, and returns its address, without a slash at the end.
 *
 * @param server what stands in the block `server`
 * @param http what stands beside it
 * @param ready the path that answers 200 once it is up
 */
export async function useNginx(server: string, ready: string, http: string = ""): Promise<string> {
  const directory = await useDirectory();
  await chmod(directory, 0o755); // where root starts it, its workers run as another user
  const [port, file] = [await freePort(), join(directory, "nginx.conf")];
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${directory};`);
  await writeFile(
    file,
    `daemon off; pid ${directory}/pid; error_log stderr; events {}
    http { access_log off; ${folders.join(" ")} ${http} server { listen 127.0.0.1:${port}; ${server} } }`,
  );
  const child = spawn("nginx", ["-p", directory, "-c", file], { stdio: ["ignore", "ignore", "pipe"] });
  await once(child, "spawn").catch(() => {
    throw new Error("nginx is not installed: apt-get install nginx");
  });
  child.stderr.resume();
  onTestFinished(() => stop(child));
  const address = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${address}${ready}`).catch(() => undefined))?.ok === true);
  return address;
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGQUIT");
  await closed;
}
