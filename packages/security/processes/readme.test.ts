import { testReadme } from "../../../test-support/scorecard-readme.ts";
import { security } from "../src/index.ts";

testReadme(security, import.meta.url);
