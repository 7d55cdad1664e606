import { hash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { boardDirectory } from "../src/index.ts";
import { licencesOf } from "./licences.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const out = fileURLToPath(boardDirectory);

/** Builds the page into `boardDirectory`, in place of what is there. */
export async function buildPage(): Promise<void> {
  await rm(out, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/page/main.tsx", "src/page/style/main.css", "src/page/icon.svg"],
    outdir: `${out}assets`,
    entryNames: "[name]-[hash]",
    bundle: true,
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
    target: ["es2023", "chrome120", "firefox121", "safari17.4"],
    loader: { ".svg": "copy" },
    jsx: "automatic",
    jsxImportSource: "preact",
    conditions: ["@maturity/source"],
    minify: true,
    metafile: true,
  });
  const named = (pattern: RegExp) => Object.keys(metafile.outputs).find((file) => pattern.test(file)) ?? "";
  const scripts = new Set([named(/main-\w+\.js$/)]);
  for (const script of scripts) {
    const { imports = [] } = metafile.outputs[script] ?? {};
    for (const { kind, path } of imports) if (kind === "import-statement") scripts.add(path);
  }
  const inPage = (file: string) => relative(out, `${root}${file}`).replaceAll("\\", "/");
  const texts = await licencesOf(Object.keys(metafile.inputs).map((file) => root + file));
  const licences = `assets/licences-${hash("sha256", texts).slice(0, 8)}.txt`;
  await writeFile(out + licences, texts);
  const [style, icon] = [inPage(named(/\.css$/)), inPage(named(/\.svg$/))];
  await writeFile(`${out}index.html`, document({ scripts: [...scripts].map(inPage), style, icon, licences }));
}

interface Files {
  /** The first, and those that it imports at once. */
  readonly scripts: readonly string[];
  readonly style: string;
  readonly icon: string;
  readonly licences: string;
}

/** Without inline script or style, which a Content-Security-Policy of `default-src 'self'` forbids. */
function document({ scripts: [script, ...imported], style, icon, licences }: Files): string {
  const preloads = imported.map((file) => `<link rel="modulepreload" href="${file}">\n`).join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Maturity</title>
<link rel="icon" href="${icon}">
<link rel="license" href="${licences}">
<link rel="stylesheet" href="${style}">
${preloads}<script type="module" src="${script}"></script>
</head>
<body>
<noscript>The Board needs JavaScript. Without it, <a href="../docs">the API</a> answers the same questions.</noscript>
</body>
</html>
`;
}
