import { type Logger, pino } from "pino";

/** One line of a log. */
export interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

/** A log to read. */
export interface ReadableLog {
  readonly logger: Logger;
  /** Every line so far, as written. */
  readonly lines: string[];
  /** Those at or above the level: 40 is warn, 50 is error. */
  from(level: number): LogLine[];
}

/** A logger that takes everything down to `trace`. */
export function readableLog(): ReadableLog {
  const lines: string[] = [];
  const logger = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  return {
    logger,
    lines,
    from: (level) => lines.map((line) => JSON.parse(line) as LogLine).filter((line) => line.level >= level),
  };
}
