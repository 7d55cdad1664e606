import { parseArgs } from "node:util";
import { nameFault } from "@maturity/core";
import { createToken, hashToken } from "../auth/token.ts";
import { insertToken, listTokens, revokeToken, type StoredToken } from "../auth/tokens.ts";
import { type Scope, scopes } from "../model/grant.ts";
import { type Action, type Command, CommandError, UsageError } from "./command.ts";
import { table } from "./table.ts";

const usage = `maturity-service token create --name NAME --scope SCOPE [--scope SCOPE …] [--area AREA] [--team TEAM] [--app APP]
                              [--expires DAYS]
maturity-service token list
maturity-service token revoke ID

Scopes: ${scopes.join(", ")}. read includes metrics:read, admin everything.
--area, --team and --app bind a token: writes outside are refused, and reads show only what is inside.
The token is printed once, at creation; the database keeps its SHA-256.`;

/** Makes, lists and revokes access tokens. */
export function tokenCommand(now: Date): Command {
  return { usage, read: ([command, ...rest]) => read(command, rest, now) };
}

function read(command: string | undefined, args: string[], now: Date): Action {
  switch (command) {
    case "create":
      return create(parseGrant(args, now));
    case "list":
      if (args.length > 0) throw new UsageError("list takes no arguments", usage);
      return async ({ knex }) => list(await listTokens(knex), now);
    case "revoke":
      return revoke(args);
    default:
      throw new UsageError(command === undefined ? "say what to do" : `there is no command token ${command}`, usage);
  }
}

function create({ expiresAt, ...grant }: ReturnType<typeof parseGrant>): Action {
  return async ({ knex }) => {
    const token = createToken();
    const id = await insertToken(knex, { ...grant, hash: hashToken(token), ...(expiresAt && { expiresAt }) });
    return `Token ${id}, shown this once:\n\n${token}\n`;
  };
}

function revoke(args: readonly string[]): Action {
  const [id] = args;
  if (args.length !== 1 || !id || !/^[1-9]\d{0,8}$/.test(id)) {
    throw new UsageError("revoke takes the id of a token", usage);
  }
  return async ({ knex }) => {
    if (!(await revokeToken(knex, Number(id)))) throw new CommandError(`there is no token ${id} to revoke`);
    return `Token ${id} is revoked; every copy of the service refuses it within 3 seconds.\n`;
  };
}

function parseGrant(args: string[], now: Date) {
  const { name, scope = [], expires, ...bounds } = readOptions(args);
  if (!name) throw new UsageError("--name is required: whose token is it?", usage);
  for (const [option, value] of Object.entries({ name, ...bounds })) {
    const fault = nameFault(value);
    if (fault) throw new UsageError(`--${option} ${fault}`, usage);
  }
  const wrong = scope.find((one) => !scopes.includes(one as Scope));
  if (wrong !== undefined || scope.length === 0) {
    throw new UsageError(`--scope is required and must be one of ${scopes.join(", ")}`, usage);
  }
  if (expires !== undefined && !/^[1-9]\d{0,4}$/.test(expires)) {
    throw new UsageError("--expires takes a number of days from 1 to 99999", usage);
  }
  const expiresAt = expires === undefined ? undefined : new Date(now.getTime() + Number(expires) * 86_400_000);
  return { name, scopes: scope as Scope[], bounds, expiresAt };
}

function readOptions(args: string[]) {
  const text = { type: "string" } as const;
  try {
    const options = {
      name: text,
      scope: { ...text, multiple: true },
      area: text,
      team: text,
      app: text,
      expires: text,
    } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), usage);
  }
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
