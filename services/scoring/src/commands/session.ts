import type { Command } from "commander";
import { OperatorError } from "../model/errors.ts";
import { actorOf as person } from "../model/grant.ts";
import { actorOf } from "./actor.ts";
import type { Define } from "./command.ts";
import { readId, readName } from "./names.ts";
import { printable } from "./print.ts";
import { table } from "./table.ts";

/** What a command needs once it works on the database. */
const load = async () => ({ ...(await import("../auth/sessions.ts")), ...(await import("../store/audit.ts")) });

/** Lists and revokes sessions of people and of the Board. */
export const defineSession: Define = (command, { onDatabase }) => {
  command
    .command("list")
    .description("lists every session that is not over")
    .action(() =>
      onDatabase(async ({ knex }) => {
        const { listSessions } = await load();
        const rows = (await listSessions(knex)).map(({ id, grant, openedAt, expiresAt }) => [
          String(id),
          printable(person(grant)),
          [...new Set(grant.parts.map(({ rule = "a token" }) => rule))].join(" "),
          openedAt.toISOString(),
          expiresAt.toISOString(),
        ]);
        return table([["ID", "NAME", "GRANTED BY", "OPENED", "EXPIRES"], ...rows]);
      }),
    );
  command
    .command("revoke")
    .description("ends a session, or all sessions of a person: every instance refuses the next request")
    .argument("[id]", "the number that list shows", readId("session list"))
    .option("--name <name>", "the name that list shows, without the provider", readName)
    .action((id: number | undefined, { name }: { name?: string }, revoke: Command) => {
      if ((id === undefined) === (name === undefined)) revoke.error("error: name either a number or --name");
      return onDatabase(async ({ knex }) => {
        const { revokeSessions, recordAudit } = await load();
        const revoked = await knex.transaction(async (trx) => {
          const revoked = await revokeSessions(trx, { id: id ?? null, name: name ?? null });
          if (revoked.length === 0) throw new OperatorError(`there is no session ${id ?? `of ${name}`} to revoke`);
          for (const { id, name, issuer } of revoked) {
            const details = { id, name, ...(issuer !== null && { issuer }) };
            await recordAudit(trx, { actor: actorOf(), action: "session.revoke", target: {}, details });
          }
          return revoked;
        });
        const ids = revoked.map(({ id }) => id).join(", ");
        return `Revoked: ${ids}. Every instance of the service refuses the next request.\n`;
      });
    });
};
