import { server as createServer } from "@hapi/hapi";
import { handleObject, jsonPayload } from "../src/http/body.ts";

/** POST /score that reads its body as the service does, and does nothing with it: `bare-server.ts PORT`. */
const server = createServer({ host: "127.0.0.1", port: Number(process.argv[2]) });
server.route([
  {
    method: "POST",
    path: "/score",
    options: { payload: jsonPayload },
    handler: handleObject(async ({ metric }) => ({ metric })),
  },
  { method: "GET", path: "/ready", handler: () => "" },
]);
await server.start();
