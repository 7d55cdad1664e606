import type { IncomingMessage, Server } from "node:http";
import { isIP } from "node:net";
import proxyaddr from "proxy-addr";

/** Is this an address (`10.0.0.7`, `fd00::7`), or a range of them (`10.0.0.0/8`, `fd00::/8`)? */
export function isAddressOrRange(text: string): boolean {
  try {
    proxyaddr.compile(text);
    return isIP(text.split("/", 1)[0] ?? "") !== 0; // ipaddr.js takes 10 for 0.0.0.10, too
  } catch {
    return false;
  }
}

/** Lets the address of a connection be told after its end, too: Node remembers it once it was asked. */
export function rememberAddresses(listener: Server): void {
  listener.on("connection", (socket) => void socket.remoteAddress);
}

/**
 * Tells the addresses of callers: that of the connection, unless it is one of a trusted proxy. Then it is the rightmost of
 * `X-Forwarded-For` that is not one: a proxy adds whom it talks to on the right, and whatever stands left of that anybody
 * may have sent. `Forwarded` is not read: a proxy that sets one of the two passes the other on as it came.
 *
 * @param trustedProxies addresses and ranges
 */
export function createAddressReader(trustedProxies: readonly string[]): (message: IncomingMessage) => string {
  const trusts = proxyaddr.compile([...trustedProxies]);
  return (message) => {
    const { remoteAddress = "" } = message.socket;
    if (!trusts(remoteAddress, 0)) return remoteAddress;
    return proxyaddr.all(message, trusts).findLast((address) => isIP(address) !== 0) ?? remoteAddress;
  };
}
