import { cut } from "@maturity/core/wire";
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "openid-client";
import { reasonOf, ServiceError } from "../model/errors.ts";
import { maxShown } from "../model/fields.ts";
import type { Page } from "./sign-in-page.ts";

const again = (to = "board/") => ({ "Sign in again": `sign-in?to=${encodeURIComponent(to)}` });

/** A page of one paragraph, with the link to sign in again. @param to the view that was asked for */
const page = (status: number, title: string, text: string, to?: string): Page => ({
  ...{ status, title, paragraphs: [text] },
  links: again(to),
});

export const noView: Page = {
  status: 400,
  title: "There is no such view",
  paragraphs: ["The link that led here names no view of the Board."],
  links: { "Go to the Board": "board/" },
};

/**
 * For a callback without an attempt of this browser: one of another browser, one that was used, or none at all.
 *
 * @param to the view that the browser asked for last, if that is known
 */
export function unknown(to?: string): Page {
  const text =
    "Signing in must end in the browser in which it began, and each answer of the provider counts once. A second tab that also signs in replaces the first, and cookies must be allowed.";
  return page(400, "This sign-in was not begun here", text, to);
}

/** @param to the view that was asked for */
export function expired(to: string): Page {
  return page(400, "Signing in took too long", "You have ten minutes at the provider.", to);
}

/** The largest number of groups that the page and the log show. Some people are in thousands. */
const maxGroups = 100;

/** The groups of a person, or what is said of them, as the page and the log show them. */
export function shownGroups(groups: readonly string[]): string[] {
  const more = groups.length - maxGroups;
  return [
    ...groups.slice(0, maxGroups).map((group) => cut(group, maxShown)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

/** For a person whom no rule fits. */
export function nobody(name: string, groups: readonly string[], contact: string | undefined): Page {
  return {
    status: 403,
    title: "You have no access yet",
    paragraphs: [
      `You are signed in as ${name}, but no rule of this service is for you.`,
      groups.length > 0 ? `Your groups: ${groups.join(", ")}.` : "The provider names no groups of yours.",
      `To get access, ask ${contact ?? "whoever runs this service"}, and send this page along.`,
    ],
    links: again(),
  };
}

const isTimeFault = (error: unknown) =>
  error instanceof ClientError && error.code === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED";

interface Answer {
  readonly status?: number;
  readonly error?: string;
  readonly error_description?: string | undefined;
}

function answerOf(error: unknown): Answer {
  if (error instanceof WWWAuthenticateChallengeError) return { ...error.cause[0]?.parameters, status: error.status };
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) return error;
  return error instanceof ClientError && error.cause instanceof Response ? { status: error.cause.status } : {};
}

/** The reason why signing in failed, for the log. Of the provider's answer it has the status and the error alone. */
export function failureReason(error: unknown): string {
  const { status, error: code, error_description: text } = answerOf(error);
  const parts = [status === undefined ? undefined : `HTTP status ${status}`, code, text];
  return [reasonOf(error), ...parts.filter((part) => part !== undefined).map((part) => cut(part, maxShown))].join(": ");
}

/** The page for a sign-in that failed. @param to the view that was asked for */
export function failurePage(error: unknown, to: string): Page {
  const failed = (status: number, text: string, title = "You are not signed in") => page(status, title, text, to);
  if (error instanceof AuthorizationResponseError) {
    return error.error === "access_denied"
      ? failed(403, "The provider says that access was refused.")
      : failed(502, `The provider refused the request: ${error.error_description ?? error.error}.`);
  }
  if (error instanceof ResponseBodyError && error.error === "invalid_grant") {
    return failed(400, "The provider's answer was used before, or is too old.");
  }
  if (error instanceof ServiceError) {
    const status = error.code === "forbidden" ? 403 : 503;
    return failed(status, `The reason: ${error.message}.`);
  }
  if (isTimeFault(error)) {
    const text =
      "The clocks of the provider and of this service differ by more than five minutes. Please report it to whoever runs this service.";
    return failed(502, text);
  }
  const isRefusal = error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError;
  if (isRefusal || (error instanceof ClientError && error.code !== "OAUTH_TIMEOUT")) {
    const text =
      "The provider's answer cannot be used. If that happens again, please report it to whoever runs this service: the log has the reason.";
    return failed(502, text);
  }
  return failed(503, "Nothing is lost. Try again in a minute.", "The provider does not answer");
}
