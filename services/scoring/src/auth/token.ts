import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Prefix by which secret scanners recognise a token of this service. */
const prefix = "maturity_";

/** 36 characters out of 62 are 214 bits. */
const secretLength = 36;
const checksumLength = 6;

/** Creates a token: the prefix, the secret, and a checksum that reveals a typing error without the database. */
export function createToken(): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join("");
  return prefix + secret + checksum(secret);
}

/** Whether the text has the form of a token of this service, including the checksum. */
export function isWellFormed(token: string): boolean {
  if (!token.startsWith(prefix)) return false;
  const secret = token.slice(prefix.length, -checksumLength);
  return secret.length === secretLength && token.endsWith(checksum(secret));
}

/** The SHA-256 of a token in hexadecimal, which is all that is stored. The secret is random, so it needs no salt. */
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
