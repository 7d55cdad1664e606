import type { Waiver } from "@maturity/core";
import { makeKnown, type Named } from "./known-names.ts";
import { readAll } from "./reading.ts";
import { post } from "./requests.ts";
import type { TestService } from "./service.ts";

/** A waiver of GET /waivers. */
export interface ShownWaiver extends Waiver {
  readonly id: string;
}

/** Makes a waiver, by default one that is not applicable, of a name that it makes known, and gives it as it is stored. */
export async function waive(
  service: Pick<TestService, "server" | "database">,
  waiver: Named & Readonly<Record<string, unknown>>,
): Promise<ShownWaiver> {
  await makeKnown(service, waiver);
  const usual = { kind: "not_applicable", reason: "for the test", owner: "ann" };
  const { status, body } = await post(service, "/waivers", { ...usual, ...waiver });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as unknown as ShownWaiver;
}

/** Revokes a waiver, and gives it as it is stored. */
export async function revoke({ server }: Pick<TestService, "server">, id: string): Promise<ShownWaiver> {
  const { statusCode, payload } = await server.inject({ method: "DELETE", url: `/waivers/${id}` });
  if (statusCode !== 200) throw new Error(payload);
  return JSON.parse(payload);
}

/** The whole list of waivers. */
export async function listed(service: Pick<TestService, "server">, search = ""): Promise<ShownWaiver[]> {
  return (await readAll(service, `/waivers${search}`, 1_000)) as unknown as ShownWaiver[];
}

/** A time so many days from now, in ISO 8601. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
