import { BlockList, isIP } from "node:net";

/** Networks of IPv4 to which nothing is ever sent. */
const closed4 = [
  "0.0.0.0/8",
  "100.100.100.200/32", // metadata of Alibaba Cloud
  "168.63.129.16/32", // the platform of Azure
  "169.254.0.0/16", // link-local, among them metadata of most clouds
  "192.0.0.0/24",
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // relays to 6to4
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
];

/** Networks of IPv6 to which nothing is ever sent, of those in `open6` and `private6`. */
const closed6 = [
  "2001::/23", // Teredo and protocol assignments
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "3fff::/20", // documentation
  "fd00:ec2::/32", // metadata of AWS
  "fd20:ce::/32", // metadata of Google Cloud
];

const private4 = ["10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];
const private6 = ["::1/128", "fc00::/7"];

/** The networks of IPv6 in which the internet has addresses. All others are closed. */
const open6 = ["2000::/3"];

/** IPv4 written as IPv6: mapped, and translated by NAT64. */
const prefixes = ["::ffff:", "64:ff9b::"];

/** The same networks of IPv4, written as IPv6. */
function written6(networks: readonly string[]): string[] {
  return networks.flatMap((network) => {
    const [address, bits] = network.split("/");
    return prefixes.map((prefix) => `${prefix}${address}/${96 + Number(bits)}`);
  });
}

function list(networks: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    blocks.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
  }
  return blocks;
}

const closed = list([...closed4, ...closed6, ...written6(closed4)]);
const privateNetworks = list([...private4, ...private6, ...written6(private4)]);
const known = list(["0.0.0.0/0", ...open6, ...private6, ...written6(["0.0.0.0/0"])]);

/**
 * Says whether a request may go to this IP address: an address of the internet, or with `allowPrivate` one of a private
 * network or of this machine. Link-local addresses, metadata services of clouds, multicast, and ranges that are reserved or
 * translated to another address are never allowed.
 */
export function isAllowed(address: string, allowPrivate: boolean): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return false;
  const isIn = (blocks: BlockList) => blocks.check(address, family === 4 ? "ipv4" : "ipv6");
  return isIn(known) && !isIn(closed) && (allowPrivate || !isIn(privateNetworks));
}
