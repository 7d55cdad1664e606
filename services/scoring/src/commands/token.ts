import { type Command, InvalidArgumentError, Option } from "commander";
import { createToken, hashToken } from "../auth/token.ts";
import type { StoredToken } from "../auth/tokens.ts";
import { OperatorError } from "../model/errors.ts";
import { type Bounds, type Scope, scopes, scopesFault } from "../model/grant.ts";
import { actorOf } from "./actor.ts";
import type { Define } from "./command.ts";
import { readId, readName } from "./names.ts";
import { print } from "./print.ts";
import { table } from "./table.ts";

interface CreateOptions extends Bounds {
  readonly name: string;
  readonly scope: readonly Scope[];
  /** In days. */
  readonly expires?: number;
}

/** What a command needs once it works on the database. */
const load = async () => ({ ...(await import("../auth/tokens.ts")), ...(await import("../store/audit.ts")) });

/** Makes, lists and revokes access tokens. */
export const defineToken: Define = (command, { io, now, onDatabase }) => {
  command
    .command("create")
    .description("makes a token and prints it once: the database keeps only its SHA-256")
    .requiredOption("--name <name>", "the owner or purpose of the token", readName)
    .addOption(
      new Option("--scope <scope...>", "what the token allows; read includes metrics:read, admin everything")
        .choices(scopes)
        .makeOptionMandatory(),
    )
    .option(
      "--area <area>",
      "limits it to an area: writes outside are refused, and reads show that area only",
      readName,
    )
    .option("--team <team>", "limits it to a team in the same way", readName)
    .option("--app <app>", "limits it to an application in the same way", readName)
    .option("--expires <days>", "days until it expires; a token without it never expires", readDays)
    .action(({ name, scope, expires, ...bounds }: CreateOptions, create: Command) => {
      const fault = scopesFault(scope);
      if (fault !== undefined) create.error(`error: --scope: ${fault}`);
      return onDatabase(async ({ knex }) => {
        const { insertToken, recordAudit } = await load();
        const token = createToken();
        const end = expires === undefined ? {} : { expiresAt: new Date(now.getTime() + expires * 86_400_000) };
        const stored = { name, scopes: [...new Set(scope)], bounds, hash: hashToken(token), ...end };
        await knex.transaction(async (trx) => {
          const id = await insertToken(trx, stored);
          const details = { id, name, scopes: stored.scopes, expires_at: end.expiresAt ?? null };
          await recordAudit(trx, { actor: actorOf(), action: "token.create", target: bounds, details });
          // Before the end of the transaction, so that a token that nobody sees is not made.
          await print([`Token ${id}, shown only once:\n\n${token}\n`], io.stdout);
        });
        return "";
      }, "make");
    });
  command
    .command("list")
    .description("lists every token without its secret")
    .action(() => onDatabase(async ({ knex }) => list(await (await load()).listTokens(knex), now)));
  command
    .command("revoke")
    .description("revokes a token: every instance of the service refuses it within 3 seconds")
    .argument("<id>", "the number that list shows", readId("token list"))
    .action((id: number) =>
      onDatabase(async ({ knex }) => {
        const { revokeToken, recordAudit } = await load();
        await knex.transaction(async (trx) => {
          const revoked = await revokeToken(trx, id);
          if (!revoked) throw new OperatorError(`there is no token ${id} to revoke`);
          const { name, scopes, bounds } = revoked;
          const details = { id, name, scopes };
          await recordAudit(trx, { actor: actorOf(), action: "token.revoke", target: bounds, details });
        });
        return `Token ${id} is revoked; every instance of the service refuses it within 3 seconds.\n`;
      }),
    );
};

function readDays(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It must be a number of days from 1 to 99999.");
  return Number(text);
}

function list(tokens: readonly StoredToken[], now: Date): string {
  const head = ["ID", "NAME", "SCOPES", "BOUND TO", "CREATED", "EXPIRES", "STATE"];
  const rows = tokens.map(({ id, name, scopes, bounds, createdAt, expiresAt, revokedAt }) => [
    String(id),
    name,
    scopes.join(","),
    Object.entries(bounds)
      .map(([field, value]) => `${field}=${JSON.stringify(value)}`)
      .join(" ") || "-",
    createdAt.toISOString().slice(0, 10),
    expiresAt?.toISOString().slice(0, 10) ?? "never",
    revokedAt ? "revoked" : expiresAt && expiresAt <= now ? "expired" : "good",
  ]);
  return table([head, ...rows]);
}
