import { execFile } from "node:child_process";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../../test/support/markdown.ts";

/** A clone of what is committed, which makes releases as the workflow does. */
export class Checkout {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param npmrc where its packages are published */
  static async create(folder: string, npmrc: string): Promise<Checkout> {
    const checkout = new Checkout(folder);
    await promisify(execFile)("git", ["clone", "--quiet", repository, folder]);
    await appendFile(join(folder, ".git/info/exclude"), "/.npmrc\n");
    await writeFile(join(folder, ".npmrc"), npmrc);
    await checkout.run("git", "config", "user.name", "Release");
    await checkout.run("git", "config", "user.email", "release@example.com");
    await checkout.run("pnpm", "install", "--frozen-lockfile", "--prefer-offline");
    return checkout;
  }

  /** Makes the versions that the changesets ask for, if there are any, and publishes what is not in the registry. */
  async release(): Promise<void> {
    const waiting = (await readdir(join(this.#folder, ".changeset"))).filter((name) => name.endsWith(".md"));
    if (waiting.length > 0) {
      await this.run("pnpm", "changeset", "version");
      await this.run("git", "add", "--all");
      await this.run("git", "commit", "--quiet", "--message=Release");
    }
    await this.run("pnpm", "release");
  }

  /** Changes a file, in which the text must stand. */
  async replace(path: string, text: string, by: string): Promise<void> {
    const file = await readFile(join(this.#folder, path), "utf8");
    if (!file.includes(text)) throw new Error(`${path} does not hold ${text}`);
    await this.write(path, file.replace(text, by));
  }

  async write(path: string, text: string): Promise<void> {
    await writeFile(join(this.#folder, path), text);
  }

  async run(program: string, ...args: string[]): Promise<string> {
    const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    const options = { cwd: this.#folder, env: { ...Object.fromEntries(own), CI: "1" }, maxBuffer: 1 << 26 };
    return (await promisify(execFile)(program, args, options)).stdout;
  }
}
