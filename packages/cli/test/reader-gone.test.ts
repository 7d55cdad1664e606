import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { newScore } from "../../../services/scoring/test/support/new-score.ts";
import { saveScores } from "../../../services/scoring/test/support/save-scores.ts";
import { runReset } from "../../../services/scoring/test/support/service-command.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();

test("a list ends quietly when the connection that it writes to is reset", async () => {
  await saveScores(
    service.database.knex,
    Array.from({ length: 20_000 }, (_, index) => newScore({ app: `${index}` })),
  );
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const args = [main, "score", "list", "--ndjson", "--url", service.url];
  expect(await runReset(args, {})).toEqual({ code: 0, stderr: "" });
});
