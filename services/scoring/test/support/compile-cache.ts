/** For a program that is started with an environment of its own: what another one has compiled is taken over. */
export const compileCache: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
};
