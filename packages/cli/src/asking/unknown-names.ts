import type { AnySubmission, Client, Listing } from "@maturity/client";
import { didYouMean } from "@maturity/command-line/did-you-mean";

/** The names that were given, by field. */
export type GivenNames = { readonly [Field in "area" | "team" | "app" | "env"]?: string | readonly string[] };

/** A given name that the service has no score of. */
export interface UnknownName {
  readonly text: string;
  /** The end of the text if there is a similar name; empty otherwise. */
  readonly nearest: string;
}

/** As many names of each field are looked at. */
const maxNames = 1_000;

/**
 * The given names of which the service has no score, each with the nearest name that has one. Each field costs one call.
 * Where there are more names than fit into a page, only those with a near name are returned.
 */
export async function unknownNames(client: Client<AnySubmission>, given: GivenNames): Promise<UnknownName[]> {
  const query = { sort: "name", limit: maxNames } as const;
  const namesOf: { readonly [Field in keyof GivenNames]-?: () => Promise<Known> } = {
    area: () => namesIn(client.areas(query), ({ area }) => area),
    team: () => namesIn(client.teams(query), ({ team }) => team),
    app: () => namesIn(client.apps(query), ({ app }) => app),
    env: () => namesIn(client.areas(query), ({ env }) => env),
  };
  const fields = (Object.keys(namesOf) as (keyof GivenNames)[]).filter((field) => given[field] !== undefined);
  const unknown = await Promise.all(
    fields.map(async (field) => {
      const { names, areAll } = await namesOf[field]();
      return [given[field] ?? []].flat().flatMap((name) => {
        if (names.includes(name)) return [];
        const nearest = didYouMean(name, names);
        return areAll || nearest
          ? [{ text: `there is no ${words[field]} ${name} with a score${nearest}`, nearest }]
          : [];
      });
    }),
  );
  return unknown.flat();
}

interface Known {
  readonly names: readonly string[];
  readonly areAll: boolean;
}

async function namesIn<Item>(listing: Listing<Item>, nameOf: (item: Item) => string): Promise<Known> {
  const { items, next } = await listing.page();
  return { names: [...new Set(items.map(nameOf))], areAll: next === null };
}

const words = { area: "area", team: "team", app: "application", env: "environment" } as const;
