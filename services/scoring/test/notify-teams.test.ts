import { expect, test } from "vitest";
import { untilSent } from "./support/peer-kinds.ts";
import { notifyFile, usePeer } from "./support/peers.ts";
import { report } from "./support/problem-report.ts";
import { useService } from "./support/service.ts";

test("a card of Teams stays below 28 KB, however long the report, and shows foreign text as it is", async () => {
  const { url, requests } = await usePeer();
  const notify = await notifyFile(
    `board_url: https://maturity.example.com
destinations: { peer: { kind: teams, url_file: url, allow_private: true } }
routes: [{ to: [peer] }]`,
    { url },
  );
  const service = await useService({ notify });
  const details = Array.from({ length: 50 }, () => ({ file: "\u{1f600}".repeat(2_000), description: "**x** [a](b)" }));
  await report(service, {
    area: "\u{1f600}".repeat(200),
    app: "[click](https://evil.example) <at>all</at>",
    count: 50,
    details,
  });
  await untilSent(service);
  const [{ body = "" } = {}] = requests;
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(28 * 1_024);
  const { type, attachments } = JSON.parse(body);
  expect(type).toBe("message");
  const [{ contentType, content }] = attachments;
  expect(contentType).toBe("application/vnd.microsoft.card.adaptive");
  expect(content).toMatchObject({ type: "AdaptiveCard", version: "1.4", actions: [{ type: "Action.OpenUrl" }] });
  // Only text runs show their text literally.
  for (const block of content.body) {
    expect(block.type).toBe("RichTextBlock");
    for (const run of block.inlines) expect(run.type).toBe("TextRun");
  }
  expect(body).toContain("[click](https://evil.example) <at>all</at>");
});
