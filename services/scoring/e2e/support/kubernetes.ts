import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { expect } from "vitest";
import { parseAllDocuments } from "yaml";
import { repository } from "../../test/support/markdown.ts";

/** The folder with what the service ships for Kubernetes. */
export const kubernetes: string = fileURLToPath(new URL("../../deploy/kubernetes/", import.meta.url));

/** An object of Kubernetes, as kubectl would send it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: what is read of it is checked against the schemas first
  readonly [field: string]: any;
}

/** Renders a folder as `kubectl apply -k` does. @throws Error with the message of kubectl, or that it is missing */
export async function render(folder: string): Promise<Manifest[]> {
  const { stdout } = await promisify(execFile)("kubectl", ["kustomize", folder], { maxBuffer: 1 << 26 });
  return parseAllDocuments(stdout).map((document) => document.toJS());
}

/** The packages that hold the schemas, by what ends the group of an API. */
const schemas = [
  { group: /^monitoring\.coreos\.com\//, module: "@kubernetes-models/prometheus-operator" },
  { group: /^/, module: "kubernetes-models" },
];

function moduleOf(apiVersion: string): string {
  const found = schemas.find(({ group }) => group.test(apiVersion));
  return `${found?.module}/${apiVersion}`;
}

/**
 * Checks objects against the published schemas: values by the validators made from them, and names of fields by the types made
 * from them, since the schemas of Kubernetes allow any other field.
 *
 * @returns one line a fault; none if all is right
 */
export async function faultsOf(manifests: readonly Manifest[]): Promise<string[]> {
  const wrongValues = await Promise.all(manifests.map(faultsOfValues));
  return [...wrongValues.flat(), ...(await faultsOfNames(manifests))];
}

async function faultsOfValues(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind, metadata } = manifest;
  const models = await import(`${moduleOf(apiVersion)}/${kind}`);
  try {
    new models[kind](manifest).validate();
    return [];
  } catch (error) {
    return [`${kind} ${metadata.name}: ${(error as Error).message}`];
  }
}

/** TypeScript refuses a literal with a field that its type lacks, at any depth. */
async function faultsOfNames(manifests: readonly Manifest[]): Promise<string[]> {
  const lines = manifests.map((manifest, index) => {
    const type = `import("${moduleOf(manifest.apiVersion)}/${manifest.kind}").I${manifest.kind}`;
    return `export const manifest${index}: ${type} = ${JSON.stringify(manifest, null, 1)};\n`;
  });
  // Where the packages are found.
  const folder = await mkdtemp(fileURLToPath(new URL("../../node_modules/manifests-", import.meta.url)));
  try {
    const file = `${folder}/manifests.mts`;
    await writeFile(file, lines.join(""));
    const { NodeNext: module } = ts.ModuleKind;
    const program = ts.createProgram([file], { module, strict: true, noEmit: true, skipLibCheck: true, types: [] });
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The names among the settings of the service in these manifests that it does not have. */
export async function unknownSettings(manifests: readonly Manifest[]): Promise<string[]> {
  const page = await readFile(join(repository, "docs/settings.md"), "utf8");
  const settings = new Set([...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name));
  expect(settings.size).toBeGreaterThan(12);
  const used = manifests
    .filter(({ kind, data }) => kind === "ConfigMap" && data.SHUTDOWN_GRACE_MS)
    .flatMap(({ data }) => Object.keys(data));
  expect(used).not.toEqual([]);
  return used.filter((name) => !settings.has(name));
}
