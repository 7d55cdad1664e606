import { severities } from "@maturity/core/wire";
import Joi from "joi";
import { type FactType, factTypes } from "../model/fact.ts";
import { mapping, nearName } from "../model/near-name.ts";
import { loadSettings, readSettings, type SettingFault } from "../model/settings-file.ts";
import type { Destination } from "./destination.ts";
import { kinds } from "./kinds/kinds.ts";
import { webAddress } from "./kinds/web-address.ts";
import { createOutwards } from "./outwards.ts";
import type { NotifySettings, Route } from "./routes.ts";

/** The content of a file of NOTIFY. */
interface NotifyFile {
  readonly board_url?: string;
  readonly destinations: Readonly<Record<string, { readonly kind: string; readonly allow_private?: boolean }>>;
  readonly routes: readonly (Omit<Route, "continue"> & { readonly continue?: boolean })[];
}

const names = Joi.array().items(Joi.string().min(1)).min(1);

/** Each type, and for each group of types a word for all of them. */
const typeWords: ReadonlyMap<string, readonly FactType[]> = new Map<string, readonly FactType[]>([
  ...factTypes.map((type) => [type as string, [type]] as const),
  ...[...Map.groupBy(factTypes, (type) => `${type.split(".")[0]}.*`)].filter(([word]) => word !== "digest.*"),
]);

const route = mapping({
  types: Joi.array()
    .items(Joi.valid(...typeWords.keys()))
    .min(1),
  areas: names,
  teams: names,
  severities: Joi.array()
    .items(Joi.valid(...severities))
    .min(1),
  owners: names,
  to: names.required(),
  continue: Joi.boolean(),
});

const destination = Joi.alternatives().conditional(".kind", {
  switch: kinds.map(({ kind, settings }) => ({
    is: kind,
    // biome-ignore lint/suspicious/noThenProperty: the word of joi
    then: mapping({ kind: Joi.any(), ...settings, allow_private: Joi.boolean() }),
  })),
  otherwise: Joi.object({ kind: Joi.valid(...kinds.map(({ kind }) => kind)).required() }).unknown(),
});

/** A name stands in labels of applications, in series and in commands. */
const destinationName = /^[a-z0-9][a-z0-9_-]{0,49}$/;

const nameFault = "is no name of a destination, which has lower-case letters, digits, - and _, at most 50";

const schema = mapping({
  board_url: webAddress,
  destinations: mapping({}, () => nameFault)
    .pattern(destinationName, destination)
    .min(1)
    .required(),
  routes: Joi.array().items(route).min(1).required(),
});

const kind = "NOTIFY";
const messages = { "any.unknown": "needs the setting user", "boolean.base": "must be true or false" };

/**
 * Reads the file of NOTIFY, with the files of secrets that it names. No connection is opened.
 *
 * @throws OperatorError if the file cannot be read, or with every fault of it
 */
export async function loadNotify(file: string): Promise<NotifySettings> {
  return parseNotify(await loadSettings(kind, file), file);
}

/**
 * Parses a file of NOTIFY in YAML or JSON.
 *
 * @param file its path, for messages and for relative paths in it
 * @throws OperatorError listing every fault with its line
 */
export function parseNotify(text: string, file: string): NotifySettings {
  const faults = (value: unknown, found: readonly SettingFault[]) =>
    found.length > 0 ? [] : unknownDestinations(value as NotifyFile);
  return settingsOf(readSettings<NotifyFile>(text, file, { kind, schema, messages, faults }));
}

/** The faults of routes that lead to a destination that the file does not have. */
function unknownDestinations({ destinations, routes }: NotifyFile): SettingFault[] {
  const known = Object.keys(destinations);
  return routes.flatMap(({ to }, route) =>
    to.flatMap((name, index) => {
      if (known.includes(name)) return [];
      const near = nearName(name, known);
      const hint = near ? `did you mean ${near}?` : `there are ${known.join(", ")}`;
      return [{ path: ["routes", route, "to", index], message: `is no destination of this file; ${hint}` }];
    }),
  );
}

function settingsOf({ board_url, destinations, routes }: NotifyFile): NotifySettings {
  const made = Object.entries(destinations).map(([name, written]): [string, Destination] => {
    const { kind, allow_private: allowPrivate = false, ...settings } = written;
    const found = kinds.find((known) => known.kind === kind);
    if (!found) throw new RangeError(`there is no kind ${kind}`);
    return [name, found.create(settings, createOutwards({ allowPrivate }))];
  });
  return {
    destinations: new Map(made),
    routes: routes.map(({ types, continue: goesOn = false, ...conditions }) => ({
      ...conditions,
      ...(types && { types: types.flatMap((word) => typeWords.get(word) ?? []) }),
      continue: goesOn,
    })),
    asksRegistry: true,
    boardUrl:
      board_url === undefined ? null : new URL("board/", board_url.endsWith("/") ? board_url : `${board_url}/`).href,
  };
}
