import { describe, expect, test } from "vitest";
import { isAllowed } from "./addresses.ts";

const ofTheInternet = [
  ...["8.8.8.8", "1.1.1.1", "100.63.255.255", "172.15.255.255", "172.32.0.1", "192.167.1.1", "223.255.255.254"],
  ...["2606:4700::1111", "2a00:1450:4001:806::200e", "::ffff:8.8.8.8", "64:ff9b::808:808", "64:ff9b::8.8.8.8"],
];

const ofPrivateNetworks = [
  ...["127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1"],
  ...["::1", "0:0:0:0:0:0:0:1", "fc00::1", "fd12:3456::1", "fdff:ffff::1"],
  ...["::ffff:127.0.0.1", "::ffff:7f00:1", "::FFFF:10.0.0.1", "0:0:0:0:0:ffff:c0a8:0101"],
  ...["64:ff9b::127.0.0.1", "64:ff9b::a00:1"],
];

const ofNobody = [
  ...["0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.0.1", "168.63.129.16", "100.100.100.200", "192.0.0.192"],
  ...["192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "192.88.99.1"],
  ...["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
  ...["::", "::127.0.0.1", "::2", "fe80::1", "fe80::1%eth0", "::1%lo", "febf::1", "fec0::1", "ff02::1", "ff0e::1"],
  ...["2001:db8::1", "3fff::1", "2001::1", "2001:0:4136:e378::1", "2002:7f00:1::1", "2002:808:808::1", "100::1"],
  ...["fd00:ec2::254", "fd20:ce::254", "5f00::1", "64:ff9b:1::7f00:1", "::ffff:0:127.0.0.1"],
  ...["::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "64:ff9b::169.254.169.254", "64:ff9b::", "::ffff:0.0.0.0"],
  ...["", "localhost", "127.1", "0177.0.0.1", "0x7f.0.0.1", "2130706433", "127.0.0.1.", "[::1]", " 8.8.8.8"],
];

describe("of the internet", () => {
  test.each(ofTheInternet)("%s is allowed", (address) => {
    expect(isAllowed(address, false)).toBe(true);
    expect(isAllowed(address, true)).toBe(true);
  });
});

describe("of a private network or of this machine", () => {
  test.each(ofPrivateNetworks)("%s is allowed where the destination says so", (address) => {
    expect(isAllowed(address, false)).toBe(false);
    expect(isAllowed(address, true)).toBe(true);
  });
});

describe("link-local, metadata, multicast, reserved, translated, or no address", () => {
  test.each(ofNobody)("%j is never allowed", (address) => {
    expect(isAllowed(address, false)).toBe(false);
    expect(isAllowed(address, true)).toBe(false);
  });
});
