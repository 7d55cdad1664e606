import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, type TypeDocOptions } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";

// Usage: node scripts/api-reference.ts [--check]. Writes docs/api from the docstrings; with --check it compares instead.

const root = fileURLToPath(new URL("..", import.meta.url));
const reference = join(root, "docs/api");

/** The modules by their path in the reference, which is their name behind `@maturity/`. */
const modules = ["core", "core/testing", "core/preview", "core/wire", "client", "reports"] as const;

const sourceOf = (module: string) => {
  const [name, entry = "index"] = module.split("/");
  return join(root, `packages/${name}/src/${entry}.ts`);
};

async function write(folder: string): Promise<void> {
  for (const module of modules) {
    const name = `@maturity/${module}`;
    const options: TypeDocOptions & PluginOptions = {
      entryPoints: [sourceOf(module)],
      name,
      tsconfig: join(root, "scripts/api-reference.tsconfig.json"),
      outputs: [{ name: "markdown", path: folder }],
      plugin: ["typedoc-plugin-markdown"],
      readme: "none",
      router: "module",
      entryFileName: `${module.replaceAll("/", "-")}.md`,
      hideBreadcrumbs: true,
      hidePageHeader: true,
      disableSources: true,
      excludeExternals: true,
      excludePrivate: true,
      sort: ["source-order"],
      parametersFormat: "table",
      interfacePropertiesFormat: "table",
      typeAliasPropertiesFormat: "table",
      useCodeBlocks: true,
      githubPages: false,
      logLevel: "Error",
      cleanOutputDir: false,
      skipErrorChecking: true, // `pnpm typecheck` does that
    };
    const app = await Application.bootstrapWithPlugins(options as TypeDocOptions);
    const project = await app.convert();
    if (!project) throw new Error(`the docstrings of ${name} cannot be read`);
    await app.generateOutputs(project);
  }
}

const made = mkdtempSync(join(tmpdir(), "maturity-api-"));
try {
  await write(made);
  const files = readdirSync(made).sort();
  if (process.argv.includes("--check")) {
    const former = readdirSync(reference).sort();
    const stale = files.filter((file) => !isSame(join(made, file), join(reference, file)));
    const gone = former.filter((file) => !files.includes(file));
    if (stale.length + gone.length > 0) {
      console.error(
        `docs/api is not that of the docstrings: ${[...stale, ...gone].join(", ")}; run pnpm api-reference`,
      );
      process.exitCode = 1;
    }
  } else {
    rmSync(reference, { recursive: true, force: true });
    cpSync(made, reference, { recursive: true });
  }
} finally {
  rmSync(made, { recursive: true });
}

function isSame(one: string, other: string): boolean {
  try {
    return readFileSync(one, "utf8") === readFileSync(other, "utf8");
  } catch {
    return false;
  }
}
