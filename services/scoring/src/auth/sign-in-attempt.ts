import { EncryptJWT, errors, jwtDecrypt } from "jose";
import type { Database } from "../store/database.ts";
import { createKeyReader } from "../store/stored-key.ts";

/** What a browser keeps, sealed, while its person is at the provider. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** The verifier of PKCE. */
  readonly verifier: string;
  /** The view to go back to, relative to the service. */
  readonly to: string;
}

/** Seals attempts, so that nobody reads or changes them. Every instance opens the seals of the others. */
export interface Seal {
  close(attempt: Attempt): Promise<string>;
  /** The attempt, and whether it is too old; undefined if the text was not sealed here. */
  open(text: string): Promise<{ readonly attempt: Attempt; readonly isExpired: boolean } | undefined>;
}

/** How long a person may take to sign in, in seconds. */
export const attemptS = 600;

/** Creates the seal, by a key in the database. */
export function createSeal({ knex }: Database): Seal {
  const key = createKeyReader(knex, "sign_in_key");
  return {
    close: async (attempt) =>
      new EncryptJWT({ ...attempt })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setExpirationTime(`${attemptS}s`)
        .encrypt(await key()),
    async open(text) {
      const options = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] };
      try {
        return { attempt: (await jwtDecrypt<Attempt>(text, await key(), options)).payload, isExpired: false };
      } catch (error) {
        if (error instanceof errors.JWTExpired)
          return { attempt: error.payload as unknown as Attempt, isExpired: true };
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
