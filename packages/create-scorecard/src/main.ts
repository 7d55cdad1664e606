#!/usr/bin/env node
const { argv, env, stderr, stdin, stdout, versions } = process;

const [major = 0, minor = 0] = versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  stderr.write(`create-scorecard needs Node 22.18 or newer, as the service does; this is ${versions.node}\n`);
  process.exit(2);
}
const { run } = await import("./run.ts");
process.exitCode = await run(argv.slice(2), {
  cwd: process.cwd(),
  // In a CI nobody answers, even where it lends a terminal.
  terminal: stdin.isTTY && !env.CI ? { input: stdin, output: stdout } : undefined,
  stdout,
  stderr,
});

export {};
