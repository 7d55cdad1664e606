import type { Problem } from "../../src/model/problem.ts";
import type { TestService } from "./service.ts";

/** An open problem with a channel. */
export const problem: Problem = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  problem_type: "terraform_secret",
  severity: "high",
  count: 2,
  details: [{ file: "main.tf", line: 3, description: "AWS key" }, { file: "b.tf" }],
  chat_channel: "#security",
};

/** Sends `problem` with changes to POST /problem/scan-result. A change to undefined leaves the field out. */
export async function report(
  { server }: Pick<TestService, "server">,
  changes: object = {},
): Promise<{ status: number; alert?: string }> {
  const { statusCode, result } = await server.inject({
    method: "POST",
    url: "/problem/scan-result",
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ ...problem, ...changes }),
  });
  return { status: statusCode, ...(result as { alert?: string }) };
}
