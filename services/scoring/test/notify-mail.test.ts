import { describe, expect, test } from "vitest";
import { alertRows, noneWaits } from "./support/alert-rows.ts";
import { readableLog } from "./support/log.ts";
import { mailSettings, untilSent } from "./support/peer-kinds.ts";
import { useMailServer } from "./support/peers.ts";
import { report } from "./support/problem-report.ts";
import { until, useService } from "./support/service.ts";

describe("a mail", () => {
  test("is sent over TLS by the user, and later ones reply to the first", async () => {
    const { port, mails } = await useMailServer();
    const service = await useService({ notify: await mailSettings(port) });
    await report(service, { app: "<b>cart</b>\u{1f600}" });
    await untilSent(service);
    await report(service, { app: "<b>cart</b>\u{1f600}", count: 0, details: [] });
    await untilSent(service);
    expect(mails).toMatchObject([
      { user: "maturity", isSecure: true, from: "maturity@example.com", to: ["team@example.com", "lead@example.com"] },
      { isSecure: true },
    ]);
    const [id] = /<[0-9a-f-]{36}@example\.com>/.exec(mails[0]?.text ?? "") ?? [];
    expect(mails[1]?.text).toContain(`In-Reply-To: ${id}`);
    expect(mails[0]?.text.replaceAll("=\r\n", "")).toContain("&lt;b&gt;cart&lt;/b&gt;");
  });

  test("is sent to a server that speaks TLS from the first byte, and only if its certificate is trusted", async () => {
    const { port, mails, distrust } = await useMailServer(undefined, [], true);
    const service = await useService({ notify: await mailSettings(port, "sesame", "smtps") });
    await report(service);
    await untilSent(service);
    expect(mails).toMatchObject([{ user: "maturity", isSecure: true }]);
    distrust();
    await report(service, { app: "other" });
    await until(async () => (await alertRows(service.databaseUrl)).some(({ pause }) => pause > 0));
    expect(mails).toHaveLength(1);
  });

  test("has no header that a report made up", async () => {
    const { port, mails } = await useMailServer();
    const service = await useService({ notify: await mailSettings(port) });
    await report(service, { details: [{ file: "a", description: "x\r\nBcc: spy@example.com\r\n\r\nhello" }] });
    await untilSent(service);
    const [head = ""] = (mails[0]?.text ?? "").split("\r\n\r\n");
    expect(head).not.toMatch(/^Bcc/im);
    expect(mails[0]?.to).toEqual(["team@example.com", "lead@example.com"]);
  });

  test("that the server refuses for a recipient is sent once to the others, and logged", async () => {
    const { port, mails } = await useMailServer(undefined, ["lead@example.com"]);
    const { logger, from } = readableLog();
    const service = await useService({ notify: await mailSettings(port), logger });
    await report(service);
    await untilSent(service);
    expect(mails.map(({ to }) => to)).toEqual([["team@example.com"]]);
    expect(from(40).filter(({ reason }) => reason === "the server refused 1 of the recipients")).toHaveLength(1);
  });

  test("with a wrong password is a dead letter, which does not repeat it", async () => {
    const { port, mails } = await useMailServer();
    const service = await useService({ notify: await mailSettings(port, "wrong") });
    await report(service);
    await until(() => noneWaits(service.databaseUrl));
    expect(await alertRows(service.databaseUrl)).toMatchObject([{ state: "dead", reason: "SMTP status 535" }]);
    expect(mails).toEqual([]);
  });
});
