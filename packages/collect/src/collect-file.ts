import { readYaml, type YamlPath } from "@maturity/yaml";

/** What is wrong with an entry of a file, and where that stands. */
export interface EntryFault {
  readonly path: YamlPath;
  readonly message: string;
}

/** Notes a fault below a part of a file. */
export type NoteFault = (path: YamlPath, message: string) => void;

/** A collect file that cannot be used, with every reason. */
export class CollectFileError extends Error {
  override readonly name = "CollectFileError";
  /** In the order of the file; a path begins with the line. */
  readonly details: readonly { readonly path: string; readonly message: string }[];

  /** @param file its name */
  constructor(file: string, details: CollectFileError["details"]) {
    const faults = details.map(({ path, message }) => `${path} ${message}`.trim());
    super(`${file} cannot be used: ${faults.join("; ")}`);
    this.details = details;
  }
}

/** What stands in a collect file, unchecked. */
export interface FileContent {
  readonly value: unknown;
  /** The error that lists these faults. */
  refusal(faults: readonly EntryFault[]): CollectFileError;
}

/** @throws CollectFileError where the text is no YAML */
export function readFileContent(text: string, name: string): FileContent {
  const { value, faults, warnings, lineOf } = readYaml(text);
  const [broken] = [...faults, ...warnings]; // others come of the first
  if (broken) {
    const fault = { path: `line ${broken.line}:`, message: broken.message };
    // A mapping in braces ends at the brace of the variable.
    const hint = { path: "", message: 'inside { } a ${NAME} needs quotes: { token: "${NAME}" }' };
    throw new CollectFileError(name, /\{[^}\n]*:\s*\$\{/.test(text) ? [fault, hint] : [fault]);
  }
  return {
    value: value ?? {},
    refusal(faults) {
      const located = faults.map(({ path, message }) => {
        const line = lineOf(path);
        return { line, path: `line ${line}: ${dotted(path)}`.trim(), message };
      });
      located.sort((one, other) => one.line - other.line);
      return new CollectFileError(
        name,
        located.map(({ path, message }) => ({ path, message })),
      );
    },
  };
}

/** `queries[0].target.team` */
function dotted(path: YamlPath): string {
  const parts = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`));
  return parts.join("").replace(/^\./, "");
}
