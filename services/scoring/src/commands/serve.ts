import type { Define } from "./command.ts";

/** Runs the service until a signal ends it. */
export const defineServe: Define = (command, { io }) => {
  command.action(async () => {
    const { serve } = await import("./serve/service.ts");
    await serve(io.env);
  });
};
