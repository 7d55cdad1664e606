import { Readable } from "node:stream";
import { type Files, useTree } from "../../../../test-support/trees.ts";
import { catalogSource } from "../../../cli/src/registering/catalog-source.ts";
import { type AppEntry, type CatalogOptions, type CatalogReading, readCatalog } from "../../src/index.ts";

export const apiVersion = "apiVersion: backstage.io/v1alpha1";
export const system: string = `${apiVersion}\nkind: System\nmetadata:\n  name: web-shop\nspec:\n  owner: checkout\n  domain: shop\n`;
export const component = (name: string, spec: string, metadata = ""): string =>
  `${apiVersion}\nkind: Component\nmetadata:\n  name: ${name}\n${metadata}spec:\n  type: service\n${spec}`;
export const cart: string = component("cart", "  owner: checkout\n  system: web-shop\n");
export const shopCart: AppEntry = { area: "shop", team: "checkout", app: "cart", owner: "checkout" };

/** Reads files as `maturity app import` does. */
export function readIn(
  cwd: string,
  names: readonly string[],
  options: CatalogOptions,
  stdin: readonly string[] = [],
): Promise<CatalogReading> {
  const input = Readable.from(stdin.map((text) => Buffer.from(text)));
  return readCatalog(names, options, catalogSource({ cwd, stdin: input }));
}

interface Read {
  readonly apps: readonly AppEntry[];
  readonly notes: readonly string[];
  readonly passedOver: readonly string[];
  readonly others: readonly string[];
  readonly faults: readonly string[];
}

/** What the files say: applications, and every reason with its place. */
export async function readFiles(
  files: Files,
  { names = Object.keys(files), area }: { names?: string[]; area?: string } = {},
): Promise<Read> {
  const cwd = await useTree(files);
  const reading = await readIn(cwd, names, { area });
  const said = ({ file, line, what, why }: { file: string; line: number; what: string; why: string }) =>
    `${file}:${line} ${what}: ${why.replaceAll(cwd, "DIR")}`;
  return {
    apps: reading.apps.map(({ entry }) => entry),
    notes: reading.apps.flatMap(({ note }) => note ?? []),
    passedOver: reading.passedOver.filter(({ kind }) => kind === undefined).map(said),
    others: reading.passedOver.filter(({ kind }) => kind !== undefined).map(said),
    faults: reading.faults.map(said),
  };
}
