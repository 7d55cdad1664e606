import { createHmac, timingSafeEqual } from "node:crypto";
import type { Knex } from "knex";
import { createKeyReader } from "../../store/stored-key.ts";

/** Makes and reads the part of an address that names a badge: its id, signed. */
export interface BadgeAddresses {
  tokenOf(id: string): Promise<string>;
  /** The id of the badge; undefined if the token was not signed here. The store is not asked for it. */
  idOf(token: string): Promise<string | undefined>;
}

/** The bytes of an id, and of the signature behind it. */
const [idBytes, signatureBytes] = [16, 16];

const form = /^[A-Za-z0-9_-]{43}$/;

/** Signs by the key in the database, so that every instance reads the addresses of the others. */
export function createBadgeAddresses(knex: Knex): BadgeAddresses {
  const key = createKeyReader(knex, "badge_key");

  async function signatureOf(id: Buffer): Promise<Buffer> {
    return createHmac("sha256", await key())
      .update("badge")
      .update(id)
      .digest()
      .subarray(0, signatureBytes);
  }

  return {
    async tokenOf(id) {
      const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
      return Buffer.concat([bytes, await signatureOf(bytes)]).toString("base64url");
    },
    async idOf(token) {
      const bytes = form.test(token) ? Buffer.from(token, "base64url") : undefined;
      // The last character has two bits that stand for nothing: only one of its four spellings is taken.
      if (bytes?.length !== idBytes + signatureBytes || bytes.toString("base64url") !== token) return undefined;
      const id = bytes.subarray(0, idBytes);
      if (!timingSafeEqual(bytes.subarray(idBytes), await signatureOf(id))) return undefined;
      return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    },
  };
}
