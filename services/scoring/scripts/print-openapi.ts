import { application } from "@maturity/application";
import { createEngine } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { openapiDocument } from "../src/routes/openapi.ts";

/** Prints the API description with the scorecards that ship. */
console.log(JSON.stringify(openapiDocument(createEngine([security, reliability, application])), null, 2));
