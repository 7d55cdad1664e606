import { testReadme } from "../../../test-support/scorecard-readme.ts";
import { application } from "../src/index.ts";

testReadme(application, import.meta.url);
