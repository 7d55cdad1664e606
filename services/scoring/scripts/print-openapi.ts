import { application } from "@maturity/application";
import { createEngine } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { openapiDocument } from "../src/openapi/document.ts";

/** Prints the API description with the scorecards that ship, and access tokens on. */
console.log(JSON.stringify(openapiDocument(createEngine([security, reliability, application]), "token"), null, 2));
