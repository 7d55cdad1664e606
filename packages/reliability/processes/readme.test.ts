import { testReadme } from "../../../test-support/scorecard-readme.ts";
import { reliability } from "../src/index.ts";

testReadme(reliability, import.meta.url);
