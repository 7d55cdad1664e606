export { base as default } from "../../tsup.base.ts";
