#!/usr/bin/env node
const { versions, stdout } = process;

if (Number.parseInt(versions.node, 10) < 20) {
  process.stderr.write(`maturity needs Node 20 or newer; this is ${versions.node}\n`);
  process.exit(2);
}
const [{ run }, { createFetch }] = await Promise.all([import("./run.ts"), import("@maturity/command-line/network")]);
// The reader may close the pipe or the socket when it has enough, as `head` does. That is no fault.
const closed: readonly unknown[] = ["EPIPE", "ECONNRESET"];
stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(closed.includes(code) ? 0 : 70));
const code = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout,
  stderr: process.stderr,
  fetch: createFetch(),
  now: Date.now,
});
// Without exit the process would wait for connections that were abandoned, which can take minutes.
process.stderr.write("", () => stdout.write("", () => process.exit(code)));

export {};
