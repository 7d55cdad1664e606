import { Session } from "node:inspector";

/**
 * How much work something is, in steps: how often each block of code runs, and how many characters or entries the functions
 * of the language look at. It is the same on every machine and in every run, which a time is not.
 *
 * Only code that is loaded after this module is counted by block. What is not counted: strings that `+` and templates put
 * together, the spread of lists, and how often a pattern goes back.
 */

/** The code that is counted by block: that of this package, and that of the libraries which it reads with. */
const counted = /\/packages\/reports\/src\/|\/node_modules\/(?:saxes|papaparse|leven)\//;

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/** The steps since the last call. */
function blocks(): number {
  let steps = 0;
  session.post("Profiler.takePreciseCoverage", (error, coverage?: Coverage) => {
    if (error) throw error;
    const files = coverage?.result.filter(({ url }) => counted.test(url)) ?? [];
    for (const { ranges } of files.flatMap(({ functions }) => functions)) {
      for (const { count } of ranges) steps += count;
    }
  });
  return steps;
}

let looked = 0;

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Counts the calls of methods by what each looks at. */
function count(
  prototype: object,
  names: readonly string[],
  cost: (self: unknown, result: unknown, args: unknown[]) => number,
): void {
  for (const name of names) {
    const method = Reflect.get(prototype, name) as Method;
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]) {
        const result = Reflect.apply(method, this, args);
        looked += 1 + cost(this, result, args);
        return result;
      },
    });
  }
}

const lengthOf = (value: unknown): number => (typeof value === "string" || Array.isArray(value) ? value.length : 0);
const from = (start: unknown): number => (typeof start === "number" ? start : 0);

// A text that was put together is copied into one piece before it is compared, so all of it counts.
count(String.prototype, ["endsWith", "startsWith", "toLowerCase", "trim", "toWellFormed"], (self) => lengthOf(self));
count(String.prototype, ["indexOf", "includes"], (self, found, [, start]) =>
  typeof found === "number" && found >= 0 ? found - from(start) : Math.max(0, lengthOf(self) - from(start)),
);
count(String.prototype, ["lastIndexOf"], (self, found) => lengthOf(self) - Math.max(0, Number(found)));
count(String.prototype, ["split", "replaceAll", "repeat"], (self, result) => lengthOf(self) + lengthOf(result));
count(
  Array.prototype,
  ["join", "concat", "flat", "slice", "splice", "reverse"],
  (self, result) => lengthOf(self) + lengthOf(result),
);
count(Array.prototype, ["includes", "indexOf", "sort", "toSorted", "shift", "unshift"], (self) => lengthOf(self));
count(JSON, ["parse", "stringify"], (_self, result, [value]) => lengthOf(value) + lengthOf(result));
// A key that is a text is looked at once, to hash it.
count(Map.prototype, ["get", "has", "set"], (_self, _result, [key]) => lengthOf(key));
count(Set.prototype, ["add", "has"], (_self, _result, [key]) => lengthOf(key));
count(TextDecoder.prototype, ["decode"], (_self, result) => lengthOf(result));
count(TextEncoder.prototype, ["encode"], (_self, _result, [text]) => lengthOf(text));

const exec = RegExp.prototype.exec;
// Every other use of a pattern calls this function once it is replaced.
RegExp.prototype.exec = function (this: RegExp, text: string) {
  const start = this.global || this.sticky ? this.lastIndex : 0;
  const found = exec.call(this, text);
  looked += 1 + (found ? found.index + found[0].length - start : this.sticky ? 0 : text.length - start);
  return found;
};

/** The steps that something takes. */
export function stepsOf(work: () => void): number {
  blocks();
  looked = 0;
  work();
  return looked + blocks();
}
