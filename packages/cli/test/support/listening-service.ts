import { afterAll, beforeAll } from "vitest";
import { rows } from "../../../../services/scoring/test/support/requests.ts";
import {
  startService,
  type TestService,
  type TestServiceOptions,
} from "../../../../services/scoring/test/support/service.ts";
import { type Files, useTree } from "../../../../test-support/trees.ts";
import { type CliOptions, maturity, type Result, target } from "./cli.ts";

/** A service that listens while the tests of a file, or of a `describe`, run. */
export interface ListeningService {
  /** Known when a test runs, not before. */
  readonly url: string;
  readonly database: TestService["database"];
  /** All that a table holds. */
  rows(table: "scores" | "problems"): ReturnType<typeof rows>;
  /** A command line that reports to it, for `target`, in a directory with these files. */
  maturity(argv: readonly string[], files?: Files, options?: CliOptions): Promise<Result>;
}

export function listeningService(options: TestServiceOptions = {}): ListeningService {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(options);
    await service.server.start();
  });
  afterAll(() => service.stop());
  return {
    get url() {
      return service.server.info.uri;
    },
    get database() {
      return service.database;
    },
    rows: (table) => rows(service, table),
    async maturity(argv, files = {}, options = {}) {
      const cwd = await useTree(files);
      const env = { MATURITY_URL: service.server.info.uri, ...target, ...options.env };
      return maturity(argv, { cwd, ...options, env });
    },
  };
}
