import type { LookupAddress } from "node:dns";
import { lookup as askForAddresses } from "node:dns/promises";
import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { shareAnswers } from "../store/cache.ts";
import { isAllowed } from "./addresses.ts";

/** Connections to addresses that an operator configures. No name leads to another address than the one that was checked. */
export interface Outwards {
  /**
   * Sends one request. Redirects are not followed. An answer is cut after 64 KiB, or where it is not whole in time.
   *
   * @throws Unreachable
   */
  request(url: URL, request: OutwardRequest): Promise<Answer>;
  /**
   * Opens a connection, without TLS.
   *
   * @param signal ends the connection
   * @throws Unreachable
   */
  connect(host: string, port: number, signal: AbortSignal): Promise<Socket>;
}

export interface OutwardRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Without an answer. The message is a code or a sentence of this file, since texts of libraries repeat addresses. */
export class Unreachable extends Error {
  /** A later try cannot succeed. */
  readonly isLasting: boolean;

  constructor(message: string, isLasting = false) {
    super(message);
    this.isLasting = isLasting;
  }
}

interface OutwardSettings {
  /** Private networks and this machine are allowed too. */
  readonly allowPrivate: boolean;
  /** Gets the addresses of a name; by default from the operating system. */
  readonly resolve?: (name: string) => Promise<LookupAddress[]>;
  /** Time limit of a request with its answer, in milliseconds. */
  readonly limitMs?: number;
}

/** The longest answer, in bytes. */
export const longestAnswer = 65_536;

const refused = "its address is not of the internet";

export function createOutwards({
  allowPrivate,
  resolve = (name) => askForAddresses(name, { all: true }),
  limitMs = 10_000,
}: OutwardSettings): Outwards {
  // The operating system looks a name up on one of few threads, and a name server that does not answer would hold one for
  // each message.
  const ask = shareAnswers<string, LookupAddress[]>(({ questions: [name] }) => resolve(name), {
    keyOf: (name) => name,
  });
  const lookup: LookupFunction = (name, { all }, callback) => {
    const fail = (error: NodeJS.ErrnoException) => callback(error, []);
    ask(name).then((addresses) => {
      const [first] = addresses;
      if (!first) fail(new Unreachable("ENOTFOUND"));
      else if (!addresses.every(({ address }) => isAllowed(address, allowPrivate)))
        fail(new Unreachable(refused, true));
      else if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    }, fail);
  };

  /** Node does not look up what is an IP address already. */
  function checkWritten(host: string): void {
    if (isIP(host) && !isAllowed(host, allowPrivate)) throw new Unreachable(refused, true);
  }

  return {
    async request(url, { headers, body, signal }) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      try {
        checkWritten(hostOf(url));
        const send = url.protocol === "https:" ? requestSecure : requestPlain;
        const sending = send(url, {
          ...{ method: "POST", headers, lookup, signal: limit },
          ...{ agent: false, rejectUnauthorized: true },
        });
        sending.on("error", () => {}); // comes again after the answer if it is cut
        sending.end(body);
        const [answer] = (await once(sending, "response", { signal: limit })) as [IncomingMessage];
        return { status: answer.statusCode ?? 0, headers: answer.headers, body: await beginning(answer) };
      } catch (error) {
        throw asUnreachable(error, limit);
      }
    },
    async connect(host, port, signal) {
      try {
        checkWritten(host);
        const socket = connect({ host, port, lookup, signal });
        socket.on("error", () => {});
        await once(socket, "connect", { signal });
        return socket;
      } catch (error) {
        throw asUnreachable(error, signal);
      }
    },
  };
}

/** The host of an URL, without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

async function beginning(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of answer) {
      pieces.push(piece);
      length += piece.length;
      if (length >= longestAnswer) break;
    }
  } catch {} // The status has arrived, so the request was received.
  return Buffer.concat(pieces).subarray(0, longestAnswer).toString();
}

/** What an error says about a call without an answer. */
export function asUnreachable(error: unknown, signal?: AbortSignal): Unreachable {
  if (error instanceof Unreachable) return error;
  if (signal?.aborted) return new Unreachable("no answer in time");
  const code: unknown = (error as NodeJS.ErrnoException).code;
  return new Unreachable(typeof code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : "no usable answer");
}
