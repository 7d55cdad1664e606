export { unreachable } from "./answer.ts";
export type { BadgeRequest, Badging } from "./badging.ts";
export { AnswerTooLongError, bounded, type Fetch } from "./bounds.ts";
export type { CallOptions, ClientOptions } from "./caller.ts";
export type { CampaignChange, Campaigning, CampaignPreview, CampaignRequest } from "./campaigning.ts";
export {
  type AnySubmission,
  type Caller,
  type Client,
  createClient,
  type Health,
  type ListOptions,
  type ProblemRequest,
  type ProblemResponse,
  type ScoreRequest,
  type ScoreResponse,
  type Target,
} from "./client.ts";
export type { Deciding, MadeWaiver, WaiverPreview, WaiverRequest } from "./deciding.ts";
export {
  type ClientErrorCode,
  type ErrorCode,
  type Failure,
  type Fault,
  MaturityClientError,
  type ServiceErrorCode,
} from "./errors.ts";
export type {
  App,
  AppChange,
  Area,
  AuditEntry,
  Badge,
  Campaign,
  CampaignDay,
  CampaignGroup,
  CampaignMember,
  ChangeTotal,
  DailyRollUp,
  FormerName,
  Found,
  HistoryQuery,
  LevelStanding,
  ListedCampaign,
  Listing,
  Lists,
  MetricAverage,
  Page,
  ProblemTimes,
  ProblemWeek,
  Query,
  RegisteredApp,
  ScoreChange,
  Scorecard,
  StoredProblem,
  StoredScore,
  Team,
  Waiver,
} from "./listing.ts";
export { shippedMetrics } from "./openapi.generated.ts";
export type {
  Move,
  Moved,
  Registered,
  Registry,
  RegistryEntry,
  Restoration,
  Retired,
  Retirement,
} from "./registry.ts";
export { type Attempted, type Patience, type Retry, retryAfter, withRetries } from "./retry.ts";
