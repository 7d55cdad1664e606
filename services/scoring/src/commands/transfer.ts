import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Database } from "../store/database.ts";
import { exportRows, ImportError, importRows } from "../transfer/transfer.ts";
import { type Action, type Command, UsageError } from "./command.ts";

const usage = `maturity-service export > rows.ndjson    writes every score and problem, one JSON object a line
maturity-service import < rows.ndjson    stores such lines, all or none

A row replaces only an older one, by reported_at. Both work on PostgreSQL and on the embedded database of DATABASE_URL.`;

/** Writes every score and problem, as fast as the output takes it. The output is left open. */
export function exportCommand(output: Writable): Command {
  return alone("export", async (database) => {
    await writeRows(database, output);
    return "";
  });
}

/** Stores what `exportCommand` wrote; throws ImportError at the first line that cannot be taken. */
export function importCommand(input: AsyncIterable<Uint8Array>): Command {
  return alone("import", async (database) => {
    const { scores, problems } = await importRows(database, lines(input));
    return `Stored scores: ${scores}, problems: ${problems}. Rows that are not newer than what is there were left out.\n`;
  });
}

/** A command that takes no arguments. */
function alone(name: string, action: Action): Command {
  const read = (args: readonly string[]) => {
    if (args.length > 0) throw new UsageError(`${name} takes no arguments`, usage);
    return action;
  };
  return { usage, read };
}

async function writeRows(database: Database, output: Writable): Promise<void> {
  await pipeline(exportedLines(database), output, { end: false });
  // The pipeline is over once it has handed on the last line, which may not be written yet.
  await new Promise<void>((resolve, reject) => {
    output.write("", (error) => (error ? reject(error) : resolve()));
  });
}

async function* exportedLines(database: Database): AsyncGenerator<string> {
  for await (const row of exportRows(database)) yield `${row}\n`;
}

/** Characters of a line; the longest row that the service takes has about a quarter. */
const maxLine = 8 * 1_048_576;

/** Splits at line feeds only: node:readline also takes U+2028, which raw may hold, for the end of a line. */
async function* lines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: string[] = [];
  let length = 0;
  let number = 1;
  const refuse = (fault: string) => new ImportError(`line ${number}: ${fault}; nothing was imported`);
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw refuse("is not, or what follows it is not, UTF-8");
    }
  };
  const add = (part: string) => {
    length += part.length;
    if (length > maxLine) throw refuse("is longer than 8 MiB");
    parts.push(part);
  };
  for await (const bytes of input) {
    const [first = "", ...rest] = decode(bytes).split("\n");
    add(first);
    for (const part of rest) {
      yield parts.join("");
      number++;
      parts = [];
      length = 0;
      add(part);
    }
  }
  add(decode());
  if (length > 0) yield parts.join("");
}
