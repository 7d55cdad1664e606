export { CollectFileError } from "./collect-file.ts";
export { type CollectConfig, type ConfigOptions, type MetricName, parseCollectFile } from "./config.ts";
export { parseDuration } from "./duration.ts";
export type { PostgresSource, PrometheusSource, Query, Range, Source, Term } from "./query.ts";
export type { RowNote } from "./results.ts";
export { collect, noRows, type QueryReport, type QueryState, type RunOptions } from "./run.ts";
export { type Clock, every } from "./schedule.ts";
