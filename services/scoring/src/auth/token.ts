import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** By this secret scanners tell a token of this service. */
const prefix = "maturity_";

/** 36 characters of 62 are 214 bits. */
const secretLength = 36;
const checksumLength = 6;

/** A new token: the prefix, the secret, and a checksum by which a typing error is told without asking the database. */
export function createToken(): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join("");
  return prefix + secret + checksum(secret);
}

/** Does it look like a token of this service, checksum included? */
export function isWellFormed(token: string): boolean {
  if (!token.startsWith(prefix)) return false;
  const secret = token.slice(prefix.length, -checksumLength);
  return secret.length === secretLength && token.endsWith(checksum(secret));
}

/** What is stored of a token, in hexadecimal: its SHA-256. The secret is random, so no salt is needed. */
export function hashToken(token: string): string {
  return hash("sha256", token);
}

/** CRC-32 in base 62. */
function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = "";
  for (let index = 0; index < checksumLength; index++) {
    text = alphabet[rest % alphabet.length] + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
