/**
 * The folder of the built page: `index.html`, and `assets/` with files whose names hold a hash of what is in them. It does
 * not exist before the package is built. The page asks the address it came from for everything else.
 */
export const boardDirectory: URL = new URL("../dist/page/", import.meta.url);
