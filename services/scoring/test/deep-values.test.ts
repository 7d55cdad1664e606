import { expect, test } from "vitest";
import { useService } from "./support/service.ts";

/** So deep that a function which calls itself for each level overflows the stack. */
const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

test("a deep value in any field of any body is refused", async () => {
  const { server } = await useService();
  const { paths, components } = JSON.parse((await server.inject("/openapi.json")).payload);
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? components.schemas[schema.$ref.split("/").at(-1) as string] : schema;
  const bodies = Object.entries<Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>(
    paths,
  ).flatMap(([url, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content["application/json"]?.schema;
      return schema ? [{ method, url, fields: Object.keys(resolved(schema).properties ?? {}) }] : [];
    }),
  );
  expect(bodies.length).toBeGreaterThan(5);
  for (const { method, url, fields } of bodies) {
    const cases = [...fields, "unknown"].flatMap((field) => ['"x"', "[]"].map((rest) => ({ field, rest })));
    for (const { field, rest } of cases) {
      const payload = `{${fields.map((name) => `"${name}":${rest},`).join("")}"${field}":${deep}}`;
      const headers = { "content-type": "application/json" };
      const answer = await server.inject({ method: method.toUpperCase() as "POST", url, payload, headers });
      expect({ url, field, rest, status: answer.statusCode }).toEqual({ url, field, rest, status: 400 });
    }
  }
});
