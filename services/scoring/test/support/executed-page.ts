import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { expect } from "vitest";
import { blocks, holding } from "./markdown.ts";
import { freePort } from "./postgres.ts";
import { until } from "./service.ts";

/** The address of the service on pages. */
const written = "http://127.0.0.1:8080";

/** A page whose commands run in a folder, one behind the other. */
export class ExecutedPage {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #directory: string;
  #address = "";
  #service: ChildProcess | undefined;

  /** @param env of the commands */
  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#directory = folder;
    this.#env = env;
  }

  /** Where the service listens that the page started last. */
  get address(): string {
    return this.#address;
  }

  /**
   * Executes the page. A block with `file=PATH` is compared with the file, or written where `write` stands behind it;
   * `background` starts the service, in place of the one before; `sh` runs; `output` is what the last commands print: of
   * JSON at least that, of another language exactly that.
   */
  async execute(path: string): Promise<void> {
    let printed = "";
    for (const { language, info, text } of await blocks(path)) {
      const [, file, write] = /^file=(\S+)( write)?$/.exec(info) ?? [];
      if (file && write) await writeFile(join(this.#folder, file), text);
      else if (file)
        expect(withoutVersions(await readFile(join(this.#folder, file), "utf8")), file).toBe(withoutVersions(text));
      else if (info === "background") await this.serve(text);
      else if (language === "sh") printed = await this.run(text);
      else if (info === "output" && language === "json") expect(JSON.parse(printed)).toEqual(holding(JSON.parse(text)));
      else if (info === "output") expect(withoutVersions(printed)).toBe(withoutVersions(text));
    }
  }

  /** Ends the service. */
  stop(): void {
    if (this.#service?.pid) process.kill(-this.#service.pid, "SIGKILL"); // npx and what it started
    this.#service = undefined;
  }

  /** Starts the service, in place of the one before. */
  async serve(commands: string): Promise<void> {
    this.stop();
    const port = await freePort();
    this.#address = `http://127.0.0.1:${port}`;
    this.#service = spawn("sh", ["-c", commands], {
      cwd: this.#directory,
      env: { ...this.#env, PORT: String(port) },
      stdio: "ignore",
      detached: true,
    });
    await until(async () => (await fetch(`${this.#address}/healthz`).catch(() => undefined))?.ok === true);
  }

  /** Runs the commands where the former ones left off, and returns what they print. The service has the address of the page. */
  async run(text: string): Promise<string> {
    const commands = text.replaceAll(written, this.#address);
    const child = spawn("sh", ["-ec", `${commands}\npwd >&3`], {
      cwd: this.#directory,
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    const closed = once(child, "close");
    const [stdout, stderr, pwd] = await Promise.all([1, 2, 3].map((index) => textOf(child.stdio[index] as Readable)));
    expect(await closed, `${commands}\n${stdout}\n${stderr}`).toEqual([0, null]);
    this.#directory = pwd?.trim() || this.#directory;
    return this.#address ? (stdout ?? "").replaceAll(this.#address, written) : (stdout ?? "");
  }
}

/** The text without the versions of the packages of this repository, so that a release changes no page. */
function withoutVersions(text: string): string {
  return text.replaceAll(/(maturity\/[\w-]+(?:@|&#64;|": "\^))\d+\.\d+\.\d+/g, "$1x");
}
