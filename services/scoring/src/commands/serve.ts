import type { Define } from "./command.ts";

/** Runs the service until a signal ends it. */
export const defineServe: Define = (command, { io }) => {
  command.action(async () => {
    const [{ parseConfig }, { serve }] = await Promise.all([import("./config.ts"), import("./serve/service.ts")]);
    await serve(parseConfig(io.env));
  });
};
