#!/usr/bin/env node
const { versions, stderr } = process;

if (Number.parseInt(versions.node, 10) < 20) {
  stderr.write(`maturity needs Node 20 or newer; this is ${versions.node}\n`);
  process.exit(2);
}
const [{ run }, { reportUncaught, reportUnwritten }, { createFetch }, { standardOutput }, { isReaderGone }] =
  await Promise.all([
    import("./run.ts"),
    import("./failure.ts"),
    import("@maturity/command-line/network"),
    import("@maturity/command-line/standard-output"),
    import("@maturity/command-line/unwritten-error"),
  ]);
let isEnding = false;
const end = (code: number): never => {
  isEnding = true;
  process.exit(code);
};
process.on("uncaughtException", (error) => end(reportUncaught(error, stderr)));
process.on("exit", (code) => {
  if (isEnding) return;
  // A scorecard called process.exit, or waits for something that never comes.
  process.exitCode = reportUncaught(`the process ended with ${code} before the command`, stderr);
});
const context = {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: standardOutput(),
  stderr,
  fetch: createFetch(),
  now: Date.now,
};
const { stdout } = context;
stderr.on("error", () => {}); // Notes and errors are no result: the command goes on without them.
stdout.on("error", (error) => {
  // A command does its work and ends with its own code, also where nobody reads on.
  if (!isReaderGone(error)) end(reportUnwritten(error, context));
});
const code = await run(process.argv.slice(2), context);
// Without exit the process would wait for connections that were abandoned, which can take minutes.
const exit = (error?: Error | null) => {
  if (!error || isReaderGone(error)) end(code);
};
stderr.write("", () => stdout.write("", exit));

export {};
