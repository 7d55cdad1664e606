#!/usr/bin/env node
const { versions, stdout } = process;

if (Number.parseInt(versions.node, 10) < 20) {
  process.stderr.write(`maturity needs Node 20 or newer; this is ${versions.node}\n`);
  process.exit(2);
}
const { run } = await import("./run.ts");
// A reader that has enough, such as `head`, is no fault.
stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 70));
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout,
  stderr: process.stderr,
  fetch: (request) => fetch(request),
  now: Date.now,
});

export {};
