import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { onTestFinished } from "vitest";

/** An issuer of ID tokens, as GitHub and GitLab are: its discovery document, its keys, and tokens with real signatures. */
export interface TestIssuer {
  /** Its `iss`. */
  readonly url: string;
  /** The key it signs with, as it is published. */
  key(): JWK & { readonly kid: string };
  /** How often it was asked for its document, as before each look at its keys. */
  asked(): number;
  /** A token that is good for five minutes and made out to `maturity`, but for what is given; undefined leaves a claim out. */
  sign(claims?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Signs with a new key from now on, and withdraws the former one. */
  rotate(algorithm?: string): Promise<void>;
  /** Answers this instead of its document, its keys or what nobody finds at its token endpoint, until said otherwise. */
  answer(path: "document" | "keys" | "token", reply: Reply | undefined): void;
  /** Refuses connections, or takes them again. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

/** A body, a status without one, or nothing until the other side gives up. */
export type Reply = { readonly body: unknown } | { readonly status: number; readonly location?: string } | "silence";

const documentPath = "/.well-known/openid-configuration";
const keysPath = "/keys";
const tokenPath = "/token";

/** Starts an issuer; it is taken down when the test is done with it. */
export async function useIssuer(): Promise<TestIssuer> {
  const issuer = await startIssuer();
  onTestFinished(() => issuer.shut());
  return issuer;
}

export async function startIssuer(): Promise<TestIssuer> {
  const replies: { [Path in "document" | "keys" | "token"]?: Reply | undefined } = {};
  let signing = await newKey();
  let asked = 0;

  const server = createServer((request, response) => {
    if (request.url === documentPath) {
      asked++;
      send(response, replies.document ?? { body: { issuer: url, jwks_uri: `${url}${keysPath}` } });
    } else if (request.url === keysPath) {
      send(response, replies.keys ?? { body: { keys: [signing.published] } });
    } else if (request.url === tokenPath && replies.token) {
      send(response, replies.token);
    } else {
      send(response, { status: 404 });
    }
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    key: () => signing.published,
    asked: () => asked,
    sign(claims = {}) {
      const now = Math.floor(Date.now() / 1_000);
      const standard = {
        iss: url,
        aud: "maturity",
        sub: "test",
        jti: randomUUID(),
        iat: now,
        nbf: now,
        exp: now + 300,
      };
      return new SignJWT({ ...standard, ...claims })
        .setProtectedHeader({ typ: "JWT", alg: signing.algorithm, kid: signing.published.kid })
        .sign(signing.privateKey);
    },
    async rotate(algorithm) {
      signing = await newKey(algorithm);
    },
    answer(path, reply) {
      replies[path] = reply;
    },
    async shut() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
    open: async () => void (await listen(port)),
  };
}

async function newKey(algorithm = "RS256") {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const published = { ...(await exportJWK(publicKey)), alg: algorithm, use: "sig", kid: randomUUID() };
  return { algorithm, privateKey, published };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === "silence") return;
  if ("status" in reply) {
    response.writeHead(reply.status, reply.location === undefined ? {} : { location: reply.location }).end();
    return;
  }
  const body = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
  response.setHeader("content-type", "application/json").end(body);
}
