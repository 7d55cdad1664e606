import { buildPage } from "../../scripts/build-page.ts";

/** Before all tests: the page as it is in the sources. */
export async function setup(): Promise<void> {
  await buildPage();
}
