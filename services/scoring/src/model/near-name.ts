export { mapping, nearName } from "@maturity/yaml/mapping";
