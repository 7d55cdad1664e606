import { type Document, isNode, LineCounter } from "yaml";
import { UsageError } from "../usage-error.ts";
import { readYamlText } from "../yaml.ts";

/** What is wrong in a file, and where: the keys and indexes on the way there. */
export interface FileFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Notes a fault below a part of a file. */
export type Fault = (path: FileFault["path"], message: string) => void;

/** A YAML file that cannot be used, with every reason. */
export class YamlFileError extends UsageError {
  /** In the order of the file; a path begins with the line. */
  readonly details: readonly { readonly path: string; readonly message: string }[];

  constructor(name: string, details: YamlFileError["details"]) {
    const faults = details.map(({ path, message }) => `${path} ${message}`.trim());
    super(`${name} cannot be used: ${faults.join("; ")}`);
    this.details = details;
  }
}

/** A YAML file that was read. */
export interface YamlFile {
  readonly value: unknown;
  /** The error that tells these faults. */
  refusal(faults: readonly FileFault[]): YamlFileError;
}

/** Reads YAML, of which JSON is a part. @throws YamlFileError */
export function readYaml(text: string, name: string): YamlFile {
  const lines = new LineCounter();
  const { document, value } = readYamlText(text, { lineCounter: lines });
  const broken = document.errors[0] ?? document.warnings[0]; // others come of the first
  if (broken) {
    const fault = { path: `line ${lines.linePos(broken.pos[0]).line}:`, message: broken.message };
    // A mapping in braces ends at the brace of the variable.
    const hint = { path: "", message: 'inside { } a ${NAME} needs quotes: { token: "${NAME}" }' };
    throw new YamlFileError(name, /\{[^}\n]*:\s*\$\{/.test(text) ? [fault, hint] : [fault]);
  }
  return {
    value: value ?? {},
    refusal(faults) {
      const located = faults.map(({ path, message }) => {
        const line = lines.linePos(offsetOf(document, path)).line;
        return { line, path: `line ${line}: ${dotted(path)}`.trim(), message };
      });
      located.sort((one, other) => one.line - other.line);
      return new YamlFileError(
        name,
        located.map(({ path, message }) => ({ path, message })),
      );
    },
  };
}

/** `queries[0].target.team` */
function dotted(path: FileFault["path"]): string {
  const parts = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`));
  return parts.join("").replace(/^\./, "");
}

/** Where the value stands; of one that is missing, where that stands which should hold it. */
function offsetOf(document: Document, path: FileFault["path"]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
