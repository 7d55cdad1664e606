import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";
import { parseNotify } from "../../src/notifications/notify-file.ts";
import type { NotifySettings } from "../../src/notifications/routes.ts";
import { useCertificate, useTrust } from "./certificate.ts";

/** One request, as the peer took it. */
export interface PeerRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The answer of a peer: a status with headers, or none at all. */
export type PeerAnswer = { readonly status: number; readonly headers?: Record<string, string> } | "never" | "cut";

/** A server for one test that takes POSTs, as a webhook's receiver or a workflow of Teams. */
export async function usePeer(
  decide: (request: PeerRequest, count: number) => PeerAnswer | Promise<PeerAnswer> = () => ({ status: 202 }),
): Promise<{ readonly url: string; readonly requests: readonly PeerRequest[] }> {
  const requests: PeerRequest[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const taken = { headers: request.headers, body: Buffer.concat(pieces).toString() };
    const count = requests.push(taken) - 1;
    const answer = await decide(taken, count);
    if (answer === "cut") request.socket.destroy();
    else if (answer !== "never") response.writeHead(answer.status, answer.headers).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, requests };
}

/**
 * Says whether a request is signed with a secret, by the text of the specification of Standard Webhooks and not by the
 * library that signs: the base64 of HMAC-SHA256 over the id, the time and the body.
 */
export function isSigned({ headers, body }: PeerRequest, secret: string): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const expected = createHmac("sha256", key).update(signed).digest();
  const age = Math.abs(Date.now() / 1_000 - Number(headers["webhook-timestamp"]));
  const isSame = (signature: string) => {
    const [version, text = ""] = signature.split(",");
    const given = Buffer.from(text, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  };
  return age < 300 && String(headers["webhook-signature"]).split(" ").some(isSame);
}

/** A secret of Standard Webhooks. */
export const secretOf = (seed: string): string => `whsec_${Buffer.from(seed.padEnd(32, "x")).toString("base64")}`;

/** A mail, as the server took it. */
export interface Mail {
  readonly user: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
  readonly isSecure: boolean;
  /** As it came over the connection. */
  readonly text: string;
}

/**
 * An SMTP server with STARTTLS and AUTH for one test, whose certificate this process trusts until `distrust` is called.
 *
 * @param refuse the status that it answers a mail with; undefined to take it
 * @param strangers recipients that it refuses
 * @param secure whether it speaks TLS from the first byte, without STARTTLS
 */
export async function useMailServer(
  refuse: (count: number) => number | undefined | Promise<number | undefined> = () => undefined,
  strangers: readonly string[] = [],
  secure = false,
): Promise<{ readonly port: number; readonly mails: readonly Mail[]; readonly certificate: string; distrust(): void }> {
  const mails: Mail[] = [];
  let asked = 0;
  const certificate = await useCertificate("localhost");
  const distrust = useTrust(certificate.cert);
  const server = new SMTPServer({
    ...certificate,
    secure,
    authMethods: ["PLAIN", "LOGIN"],
    onAuth({ username, password }, _session, done) {
      if (username === "maturity" && password === "sesame") done(null, { user: username });
      else done(Object.assign(new Error("no"), { responseCode: 535 }));
    },
    onRcptTo({ address }, _session, done) {
      done(strangers.includes(address) ? Object.assign(new Error("no"), { responseCode: 450 }) : null);
    },
    onData(stream, { user, envelope, secure }, done) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece) => pieces.push(piece));
      stream.on("end", async () => {
        const status = await refuse(asked++);
        if (status !== undefined) return done(Object.assign(new Error("no"), { responseCode: status }));
        mails.push({
          ...{ user, isSecure: secure, text: Buffer.concat(pieces).toString() },
          from: envelope.mailFrom ? envelope.mailFrom.address : "",
          to: envelope.rcptTo.map(({ address }) => address),
        });
        done();
      });
    },
  });
  server.on("error", () => {}); // a client that ends its connection
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, mails, certificate: certificate.cert, distrust };
}

/** Settings as a file of NOTIFY makes them, with files of secrets beside it. */
export async function notifyFile(
  text: string,
  secrets: Readonly<Record<string, string>> = {},
): Promise<NotifySettings> {
  return parseNotify(text, join(await notifyFolder(text, secrets), "notify.yaml"));
}

/** A folder with `notify.yaml`, a file of NOTIFY, and files of secrets beside it. */
export async function notifyFolder(text: string, secrets: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "notify-"));
  for (const [name, secret] of Object.entries({ ...secrets, "notify.yaml": text })) {
    await writeFile(join(folder, name), `${secret}\n`);
  }
  return folder;
}

/** The destination of a mail server for a test, as a file of NOTIFY writes it; its password lies in the file `password`. */
export function mailDestination(port: number): string {
  return `{ kind: email, url: "smtp://localhost:${port}", user: maturity, password_file: password, from: maturity@example.com, to: team@example.com, allow_private: true }`;
}
