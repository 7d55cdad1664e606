import { spawn } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { compileCache } from "../../../../services/scoring/test/support/compile-cache.ts";
import { useDirectory } from "../../../../test-support/trees.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const fromSources = `exec "${process.execPath}" --conditions=@maturity/source "${main}" "$@"`;

/** How a script ended, and what it wrote. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A shell in a folder of its own, which finds `maturity`, Node and the system's programs, and nothing else. */
export interface Shell {
  readonly directory: string;
  /** Adds a program: a script of sh. A name with a path stands in the folder, any other on the PATH. */
  program(name: string, script: string): Promise<void>;
  /** Writes a file of the folder. */
  write(path: string, content: string): Promise<void>;
  /** Runs a script by `sh -e`, or as another shell is called, with these variables only. */
  run(script: string, env?: Readonly<Record<string, string>>, shell?: readonly string[]): Promise<Run>;
}

/** For one test. The program `maturity` is run from its sources; without it only `npm` brings it. */
export async function useShell({ maturity = true }: { readonly maturity?: boolean } = {}): Promise<Shell> {
  const directory = await useDirectory();
  const bin = await useDirectory();
  const PATH = [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(":");

  const write: Shell["write"] = async (path, content) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  };
  const shell: Shell = {
    directory,
    write,
    async program(name, script) {
      const path = name.includes("/") ? join(directory, name) : join(bin, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `#!/bin/sh\n${script}\n`);
      await chmod(path, 0o755);
    },
    async run(script, env = {}, [program = "sh", ...parameters] = ["sh", "-e"]) {
      const child = spawn(program, [...parameters, "-c", script], {
        cwd: directory,
        env: { ...compileCache, PATH, ...env },
      });
      child.stdin.end();
      const ended = new Promise<number | null>((resolve, reject) => child.once("close", resolve).once("error", reject));
      const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { code, stdout, stderr };
    },
  };
  if (maturity) await shell.program("maturity", fromSources);
  return shell;
}

/** What `npm install … @maturity/cli@VERSION` does: installs the program. What it was given is noted in the folder. */
export async function addNpm(shell: Shell): Promise<void> {
  await shell.program(
    "npm",
    `printf '%s\\n' "$PWD" "$@" > "${shell.directory}/installed"
mkdir -p node_modules/.bin
cat > node_modules/.bin/maturity <<'END'
#!/bin/sh
${fromSources}
END
chmod +x node_modules/.bin/maturity`,
  );
}
