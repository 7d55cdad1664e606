import { hash } from "node:crypto";
import type { Request, ResponseObject, ServerRoute } from "@hapi/hapi";
import type { Fault } from "@maturity/core";
import Joi from "joi";
import type { Knex } from "knex";
import { preferredType } from "../http/accept.ts";
import { forReaders, grantOf, wholeGrantOf } from "../http/caller.ts";
import { deadlineOf } from "../http/deadline.ts";
import { invalidPayload } from "../model/errors.ts";
import type { Bounded, Bounds, Grant } from "../model/grant.ts";
import { count, type Json, type Operation, object, queryParameters } from "../openapi/operation.ts";
import { requireNotMovedAway } from "../store/names.ts";
import { type Columns, columnsOf } from "./csv.ts";
import { type Cursor, decodeCursor, encodeCursor, type Position } from "./cursor.ts";
import { createPages, csvOf, ndjson } from "./pages.ts";
import { inDigits, querySchema, readQuery } from "./query.ts";
import type { Streams } from "./streams.ts";

/** Largest number of items of a page. */
export const maxLimit = 1_000;

const defaultLimit = 100;

/** The requested page of a list. */
export interface Paging {
  /** Largest number of items. A page may have fewer, even if it is not the last. */
  readonly limit: number;
  /** The end of the previous page; undefined for the first page. */
  readonly after: Position | undefined;
  /** Whether the number of all items is wanted. It is 0 otherwise. */
  readonly counted: boolean;
}

/** A part of a list. */
export interface Page<Item> {
  /** When it was read, by the database's clock. */
  readonly asOf: Date;
  readonly items: readonly Item[];
  /** The end of this page if more items follow. */
  readonly end: Position | undefined;
  /** The number of items that match the filters. */
  readonly total: number;
}

/** A list of the read API. */
export interface List<Query extends object, Item extends object> {
  /** What stands in braces in it is a field of the query too, such as `/campaigns/{id}/days`. */
  readonly path: string;
  /** The parameters of the path, for the description. */
  readonly pathParameters?: readonly Json[];
  readonly operationId: string;
  readonly summary: string;
  /** The parameters beside `limit` and `cursor`. */
  readonly parameters: Joi.PartialSchemaMap;
  /** The faults of parameters that do not fit each other. */
  readonly check?: (query: Query) => readonly Fault[];
  /** Fields to add to a query whose answer depends on more of its caller than the bounds for reading. */
  readonly ofCaller?: (query: Query, grant: Grant) => Partial<Query>;
  /** Largest number of items of a page, if some queries have a smaller one. */
  readonly limitOf?: (query: Query) => number;
  /** The only `sort` that can be streamed, if each page of the others costs as much as the whole list. */
  readonly streamedBy?: string;
  /** Name and JSON Schema of an item, and an example. The columns of CSV are in the order of its properties. */
  readonly item: { readonly name: string; readonly schema: Json; readonly example: Json };
  /** By default the required fields of an item, and the others with `detail`. */
  readonly columns?: (query: Query) => Columns<Item>;
  /** Whether a page shows that nothing is stored; by default that is a page without items. */
  readonly isEmpty?: (items: readonly Item[]) => boolean;
  /**
   * Reads a page within the bounds of the caller; the result depends on query and bounds alone. @throws ServiceError
   * `forbidden` for a filter outside the bounds
   */
  readonly read: (query: Query, grant: Bounded, paging: Paging) => Promise<Page<Item>>;
}

declare module "@hapi/hapi" {
  interface ServerApplicationState {
    /** Sends the answers of all lists. */
    streams: Streams;
    /** Where lists look up current names. */
    lists: Knex;
  }
}

const types = { json: "application/json", csv: "text/csv", ndjson: "application/x-ndjson" } as const;

/**
 * The route of a list. It answers a page in JSON. With `Accept: text/csv` or `application/x-ndjson` it streams all
 * items after the cursor, page by page, at the pace of the reader.
 */
export function listRoute<Query extends object, Item extends object>(list: List<Query, Item>): ServerRoute {
  const schema = querySchema({
    ...list.parameters,
    limit: inDigits(Joi.number().integer().min(1).max(maxLimit), "whole").description(
      `Largest number of items of a page; ${defaultLimit} without it`,
    ),
    cursor: Joi.string().max(8_192).description("`next` of the page before, with the other parameters as they were"),
  });
  const pages = createPages();
  return {
    method: "GET",
    path: list.path,
    options: {
      auth: forReaders,
      plugins: { openapi: operationOf(list, schema) },
      timeout: { socket: false }, // until the page is read, nothing moves on the connection
    },
    async handler(request, h) {
      const { limit, cursor, ...rest } = readQuery<Query & { limit?: number; cursor?: string }>(schema, request.query);
      const asked = { ...rest, ...request.params } as unknown as Query;
      const faults = list.check?.(asked) ?? [];
      if (faults.length > 0) throw invalidPayload(faults);
      const own = list.ofCaller?.(asked, wholeGrantOf(request)) ?? {};
      const query = { ...asked, ...own };
      const finish = Object.keys(own).length > 0 ? finishOwn : finishShared;
      const most = list.limitOf?.(query) ?? maxLimit;
      if (limit !== undefined && limit > most) {
        throw invalidPayload([{ path: "limit", message: `must be at most ${most} with these parameters` }]);
      }
      const grant = grantOf(request);
      const { signal } = deadlineOf(request.raw.req);
      const identity = [list.path, Object.entries(query).sort(), grant.parts.map(({ bounds }) => bounds)];
      const from = cursor === undefined ? undefined : decodeCursor(identity, cursor);
      const read = async (paging: Paging) => {
        const page = await list.read(query, grant, paging);
        const isEmpty = list.isEmpty?.(page.items) ?? page.items.length === 0;
        // The page would read as if nothing were stored of what has moved out of the bounds.
        if (isEmpty && "area" in list.parameters)
          await requireNotMovedAway(request.server.app.lists, grant, singleNames(query));
        return page;
      };
      const type = preferredType(request.raw.req.headers.accept, Object.values(types));
      if (type === types.csv || type === types.ndjson) {
        requireVisibleEnd(request);
        requireStreamable(list.streamedBy, query);
        const texts = pages.texts(signal, {
          identity: [identity, type],
          form: type === types.csv ? csvOf(columnsFor(query, list)) : ndjson,
          read: (after) => read({ limit: most, after, counted: false }),
          from: from?.position,
        });
        const body = await request.server.app.streams.start(request, texts);
        return finish(h.response(body).type(`${type}; charset=utf-8`));
      }
      const paging = { limit: Math.min(limit ?? defaultLimit, most), after: from?.position, counted: !from };
      const { content, tag } = await pages.inSlot(signal, async () =>
        pageBody(await read(paging), from, (found) => encodeCursor(identity, found)),
      );
      request.server.app.streams.limit(request, content.length);
      return finish(h.response(content).type(types.json)).etag(tag, { weak: true, vary: false });
    },
  };
}

/** The area, team and app that a query names, each where it is a single one. */
function singleNames(query: object): Bounds {
  const names = ["area", "team", "app"].map(
    (part) => [part, new Set([Reflect.get(query, part) ?? []].flat())] as const,
  );
  return Object.fromEntries(names.flatMap(([part, values]) => (values.size === 1 ? [[part, [...values][0]]] : [])));
}

function columnsFor<Query extends object, Item extends object>(
  query: Query & { readonly detail?: boolean },
  { columns, item }: List<Query, Item>,
): Columns<Item> {
  return columns?.(query) ?? columnsOf(item.schema, query.detail);
}

/** A page in JSON, and a tag that does not depend on its time. */
function pageBody<Item>(
  { asOf, items, end, total: counted }: Page<Item>,
  from: Cursor | undefined,
  encode: (cursor: Cursor) => string,
): { content: string; tag: string } {
  const total = from?.total ?? counted;
  const next = end ? encode({ position: end, total }) : null;
  const page = JSON.stringify({ items, next, total });
  return {
    content: `{"as_of":${JSON.stringify(asOf)},${page.slice(1)}`,
    tag: hash("sha256", page, "base64url"),
  };
}

/** A browser may store the answer, but must revalidate it. */
function finishShared(response: ResponseObject): ResponseObject {
  return response.header("cache-control", "private, no-cache").vary("accept").vary("authorization").vary("cookie");
}

/** Nothing may store the answer, because it is one person's own. */
function finishOwn(response: ResponseObject): ResponseObject {
  return finishShared(response).header("cache-control", "no-store");
}

/**
 * With HTTP/1.0 a stream ends with its connection, so that no client could distinguish its end from an interruption.
 */
function requireVisibleEnd({ raw: { req } }: Request): void {
  if (req.httpVersion !== "1.0") return;
  const message = "CSV and NDJSON need HTTP/1.1; nginx speaks it with `proxy_http_version 1.1`";
  throw invalidPayload([{ path: "", message }]);
}

function requireStreamable(streamedBy: string | undefined, query: { readonly sort?: string }): void {
  if (streamedBy === undefined || query.sort === streamedBy) return;
  throw invalidPayload([
    { path: "sort", message: `must be ${streamedBy} or absent where the answer is CSV or NDJSON` },
  ]);
}

const ifNoneMatch: Json = {
  ...{ name: "If-None-Match", in: "header", schema: { type: "string" } },
  description: "The ETag of a former answer to the same query",
};

function operationOf<Query extends object, Item extends object>(
  list: List<Query, Item>,
  query: Joi.ObjectSchema,
): Operation {
  const { operationId, summary, item, pathParameters = [] } = list;
  const page = `${item.name}Page`;
  const schemas = {
    [item.name]: item.schema,
    [page]: object({
      as_of: { type: "string", format: "date-time", description: "The time of the reading, by the database's clock" },
      items: { type: "array", items: { $ref: `#/components/schemas/${item.name}` } },
      next: { type: ["string", "null"], description: "`cursor` of the next page; null after the last one" },
      total: { ...count, description: "How many items the filters left when the first page was read" },
    }),
  };
  const example = { as_of: "2026-03-01T12:00:00.000Z", items: [item.example], next: null, total: 1 };
  const lines = csvOf(columnsFor({} as Query, list) as Columns<Json>);
  const stream = (description: string, text: string): Json => ({
    schema: { type: "string", description },
    examples: { stream: { value: text } },
  });
  const etag = { ETag: { description: "For `If-None-Match`", schema: { type: "string" } } };
  return {
    operationId,
    tags: ["read"],
    summary,
    parameters: [...pathParameters, ...queryParameters(query), ifNoneMatch],
    responses: {
      200: {
        description: "A page; in CSV and NDJSON every item from the cursor on",
        headers: etag,
        content: {
          [types.json]: { schema: { $ref: `#/components/schemas/${page}` }, examples: { page: { value: example } } },
          [types.csv]: stream(
            "The names of the columns, and a line for each item, by RFC 4180",
            lines.head + lines.text(item.example, new Date(example.as_of)),
          ),
          [types.ndjson]: stream("An item in JSON on each line", ndjson.text(item.example, new Date(example.as_of))),
        },
      },
      304: { description: "Nothing has changed since the answer with the ETag of `If-None-Match`", headers: etag },
    },
    errors: [
      "invalid-payload",
      ...(pathParameters.length > 0 ? (["not-found"] as const) : []),
      ...(["internal", "store-unavailable", "overloaded"] as const),
    ],
    schemas,
  };
}
