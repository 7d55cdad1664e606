import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createAddressReader, isAddressOrRange, rememberAddresses } from "./caller-address.ts";

interface Case {
  readonly trusted?: readonly string[];
  readonly peer: string;
  readonly forwardedFor?: string;
  readonly caller: string;
}

const inside = ["10.0.0.0/8", "fd00::/8"];

const cases: Readonly<Record<string, Case>> = {
  "nobody is trusted": { trusted: [], peer: "10.0.0.7", forwardedFor: "192.0.2.1", caller: "10.0.0.7" },
  "a stranger says who it is": { peer: "192.0.2.66", forwardedFor: "198.51.100.1", caller: "192.0.2.66" },
  "a proxy says whom it talks to": { peer: "10.0.0.7", forwardedFor: "192.0.2.1", caller: "192.0.2.1" },
  "a caller said something before": { peer: "10.0.0.7", forwardedFor: "198.51.100.1, 192.0.2.1", caller: "192.0.2.1" },
  "a caller said it is a proxy": { peer: "10.0.0.7", forwardedFor: "10.1.1.1, 192.0.2.1", caller: "192.0.2.1" },
  "one proxy is behind another": { peer: "10.0.0.7", forwardedFor: "192.0.2.1,10.0.0.8 ", caller: "192.0.2.1" },
  "a proxy says nothing": { peer: "10.0.0.7", caller: "10.0.0.7" },
  "a proxy says nothing that is an address": {
    peer: "10.0.0.7",
    forwardedFor: '<script>", unknown',
    caller: "10.0.0.7",
  },
  "the first that is trusted talks to something without an address": {
    peer: "10.0.0.7",
    forwardedFor: "192.0.2.1, unknown, 10.0.0.8",
    caller: "10.0.0.8",
  },
  "only proxies are there": { peer: "10.0.0.7", forwardedFor: "10.0.0.9, 10.0.0.8", caller: "10.0.0.9" },
  IPv6: { peer: "fd00::7", forwardedFor: "2001:db8::1", caller: "2001:db8::1" },
  "a proxy by IPv4 reaches a socket of IPv6": {
    peer: "::ffff:10.0.0.7",
    forwardedFor: "192.0.2.1",
    caller: "192.0.2.1",
  },
};

test.each(Object.entries(cases))("%s", (_, { trusted = inside, peer, forwardedFor, caller }) => {
  const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
  const message = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  expect(createAddressReader(trusted)(message)).toBe(caller);
});

test.each([
  ["", inside, "127.0.0.1"],
  [", behind a proxy", ["127.0.0.1"], "192.0.2.1"],
])("a caller who has hung up%s is known by the address of its connection", async (_, trusted, caller) => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  rememberAddresses(server);
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.write("GET / HTTP/1.1\r\nhost: a\r\nx-forwarded-for: 192.0.2.1\r\n\r\n");
  const [message] = (await once(server, "request")) as [IncomingMessage];
  client.destroy();
  await once(message.socket, "close");
  expect(createAddressReader(trusted)(message)).toBe(caller);
});

test("a long list costs a stranger's request nothing, and is read from its end", () => {
  const list = `${"198.51.100.1,".repeat(1_000)}192.0.2.1`;
  const message = (remoteAddress: string) =>
    ({ socket: { remoteAddress }, headers: { "x-forwarded-for": list } }) as unknown as IncomingMessage;
  const read = createAddressReader(inside);
  expect(read(message("192.0.2.66"))).toBe("192.0.2.66");
  expect(read(message("10.0.0.7"))).toBe("192.0.2.1");
});

test("addresses and ranges are distinguished from other texts", () => {
  const texts = ["10.0.0.7", "10.0.0.0/8", "10.0.0.0/255.0.0.0", "fd00::7", "fd00::/8", "::ffff:10.0.0.7"];
  expect(texts.filter(isAddressOrRange)).toEqual(texts);
  const others = [
    "",
    " ",
    "10",
    "0x7f.1",
    "10.0.0.256",
    "10.0.0.0/",
    "10.0.0.0/33",
    "fd00::/129",
    "db.internal",
    "loopback",
  ];
  expect(others.filter(isAddressOrRange)).toEqual([]);
});
