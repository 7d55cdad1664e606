/** A component of a bill of materials, as CycloneDX has it. */
export interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly scope?: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

/** A bill of materials: what a package is made of. */
export interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

/**
 * What is in the built files of a package, though nothing of it is installed with the package: the page of the Board holds its
 * framework, and the service the page of its description.
 */
const bundled: Readonly<Record<string, readonly string[]>> = {
  "@maturity/board": ["preact", "@preact/signals", "@preact/signals-core"],
  "@maturity/service": ["swagger-ui-dist"],
};

/** Licences that ask nothing of whoever uses or ships the software but to keep their text. Unknown ones are not among them. */
const permissive = new Set([
  ...["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BlueOak-1.0.0", "CC0-1.0"],
  ...["Unlicense", "PostgreSQL", "Python-2.0", "Zlib"],
]);

/** Packages that say their licence only in a file, with what it says, which was read. */
const inFile: Readonly<Record<string, string>> = { "color-convert@0.5.3": "MIT" };

/** `@preact/signals` */
export function fullName({ group, name }: Component): string {
  return group ? `${group}/${name}` : name;
}

/**
 * The bill with what is bundled into the package, and into those that it installs.
 *
 * @param development where the bundled ones are described
 * @throws Error when one is not described there
 */
export function withBundled(bom: Bom, development: readonly Component[]): Bom {
  const packages = [bom.metadata.component, ...bom.components].map(fullName);
  const added = packages
    .flatMap((name) => bundled[name] ?? [])
    .map((name): Component => {
      const found = development.find((component) => fullName(component) === name);
      if (!found) throw new Error(`${name} is bundled, but no package has it among its devDependencies`);
      return { ...found, scope: "required" };
    });
  return { ...bom, components: [...bom.components, ...added] };
}

/** What of a bill must not be shipped, each as a sentence: a licence that is copyleft, unknown or missing. */
export function forbidden(bom: Bom): string[] {
  return bom.components
    .filter((component) => !licencesOf(component).length || !licencesOf(component).every(isPermissive))
    .map((component) => {
      const licence = licencesOf(component).join(", ") || "no licence";
      const owner = fullName(bom.metadata.component);
      return `${owner} ships ${fullName(component)}@${component.version}, which has ${licence}; allowed: ${[...permissive].join(", ")}`;
    });
}

function licencesOf(component: Component): string[] {
  const read = inFile[`${fullName(component)}@${component.version}`];
  return component.licenses?.map(textOf) ?? (read === undefined ? [] : [read]);
}

function textOf({ license, expression }: NonNullable<Component["licenses"]>[number]): string {
  return expression ?? license?.id ?? license?.name ?? "";
}

/** Of `A OR B` one is enough, of `A AND B` both are needed. An exception behind `WITH` only grants more. */
function isPermissive(text: string): boolean {
  const plain = text.replaceAll(/[()]/g, " ").trim();
  if (/ OR /.test(plain)) return !/ AND /.test(plain) && plain.split(/ +OR +/).some(isPermissive);
  return plain.split(/ +AND +/).every((one) => permissive.has(one.replace(/ +WITH .*/, "").trim()));
}
