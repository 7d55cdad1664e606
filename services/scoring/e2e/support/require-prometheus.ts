import { promtool, start } from "./tools.ts";

/** Before all tests: without Prometheus none of them can run, and one line says so. */
export async function setup(): Promise<void> {
  try {
    (await start("prometheus", ["--version"])).stdout.resume();
    await promtool(["--version"]);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1); // an error thrown here comes with a page of other things
  }
}
