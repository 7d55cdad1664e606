export { AnswerTooLongError, bounded, type Fetch } from "./bounds.ts";
export type { ClientOptions } from "./caller.ts";
export {
  type AnySubmission,
  type CallOptions,
  type Client,
  createClient,
  type Health,
  type ListOptions,
  type ProblemRequest,
  type ProblemResponse,
  type ScoreRequest,
  type ScoreResponse,
} from "./client.ts";
export {
  type ClientErrorCode,
  type ErrorCode,
  type Fault,
  MaturityClientError,
  type ServiceErrorCode,
} from "./errors.ts";
export type { components, operations, paths } from "./openapi.generated.ts";
export type { Retry } from "./retry.ts";
export type { Filter, StoredProblem, StoredScore, Target } from "./stored.ts";
