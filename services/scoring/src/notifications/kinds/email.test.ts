import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Message } from "../destination.ts";
import { createOutwards } from "../outwards.ts";
import { email, mailOf } from "./email.ts";

const message: Message = {
  ...{ id: "1", at: new Date(0), reports: 1, thread: null, address: "", link: null },
  fact: {
    ...{ type: "problem.opened", subject: "1@2", area: "shop", team: "checkout", app: "cart", env: "prod" },
    ...{ severity: "high", data: { problem_type: "secret", count: 1, details: [] } },
  },
};

/** A mail server that answers these words, and does what it likes at the first word that has no answer. */
async function useServer(answers: Readonly<Record<string, string>>, behave: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    const answer = (word: string) => (answers[word] === undefined ? behave(socket) : socket.write(answers[word]));
    answer("");
    socket.on("data", (data) => answer(String(data).slice(0, 4)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function send(port: number, limitMs: number) {
  const settings = { url: `smtp://127.0.0.1:${port}`, from: "m@example.com", to: "a@example.com" };
  const destination = email.create(settings, createOutwards({ allowPrivate: true }));
  return destination.send(message, AbortSignal.timeout(limitMs));
}

const drips = (text: string) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(text), 20);
  socket.once("close", () => clearInterval(timer));
};
const greeting = { "": "220 mail ESMTP\r\n" };
const greeted = { ...greeting, EHLO: "250 mail\r\n" };
const accepted = { ...greeted, MAIL: "250 ok\r\n", RCPT: "250 ok\r\n", DATA: "354 go\r\n" };

test.each<[string, Readonly<Record<string, string>>, (socket: Socket) => void]>([
  ["whose greeting drips", {}, drips("2")],
  ["whose greeting never ends", {}, drips("220-mail\r\n")],
  ["whose answer drips", greeting, drips("2")],
  ["whose answer has lines without end", greeting, drips("250-x\r\n")],
  ["that never says whether it took the mail", accepted, () => {}],
  ["that floods", greeting, (socket) => void socket.write("250-x\r\n".repeat(100_000))],
  ["that breaks off", accepted, (socket) => socket.destroy()],
])("a server %s ends at the limit, and may answer later", { timeout: 20_000 }, async (_, answers, behave) => {
  const port = await useServer(answers, behave);
  expect(await send(port, 1_000)).toMatchObject({ status: "failed" });
});

test("a subject of hostile names is one line of bounded length", () => {
  const app = `x\r\nBcc: spy@example.com\u2028\u0000${"\u{1f600}".repeat(5_000)}`;
  const { subject } = mailOf({ ...message, fact: { ...message.fact, app, team: app } }, "m@example.com") as {
    subject: string;
  };
  expect(subject).not.toMatch(/\p{Cc}|\p{Zl}/u);
  expect([...subject].length).toBeLessThan(1_000);
});
