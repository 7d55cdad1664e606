/** The published types of this library are of an older version, without GitHub Actions. */
declare module "env-ci" {
  interface Ci {
    readonly name?: string;
    /** Its key in the library; absent outside of a CI. */
    readonly service?: string;
    readonly build?: string;
    readonly buildUrl?: string;
    readonly commit?: string;
  }

  function envCi(options: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string }): Ci;

  export { envCi as default };
}
