import type { IncomingMessage, Server } from "node:http";
import { isIP } from "node:net";
import proxyaddr from "proxy-addr";

/** Whether a text is an address (`10.0.0.7`, `fd00::7`) or a range of addresses (`10.0.0.0/8`, `fd00::/8`). */
export function isAddressOrRange(text: string): boolean {
  try {
    proxyaddr.compile(text);
    return isIP(text.split("/", 1)[0] ?? "") !== 0; // ipaddr.js takes 10 for 0.0.0.10, too
  } catch {
    return false;
  }
}

/** Makes the address of a connection available after its end: Node keeps it once it has been read. */
export function rememberAddresses(listener: Server): void {
  listener.on("connection", (socket) => void socket.remoteAddress);
}

/**
 * Finds the address of a caller: that of the connection, or behind a trusted proxy the rightmost address in
 * `X-Forwarded-For` that is no trusted proxy. Each proxy appends the address of its client; anything left of that can
 * be forged. `Forwarded` is ignored, because a proxy that sets one of the two headers passes the other one on
 * unchanged.
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
