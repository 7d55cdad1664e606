import type Joi from "joi";
import type { Fact } from "../model/fact.ts";
import type { Outwards } from "./outwards.ts";

/** Where notifications are sent. */
export interface Destination {
  readonly kind: string;
  /** Pause between two messages to one address, in seconds. */
  readonly pace: number;
  /**
   * The address for a fact, empty if there is one only; undefined if none is known.
   *
   * @param reported the `chat_channel` of a submission
   */
  addressOf(reported: string | undefined): string | undefined;
  /** Sends one message, without retries. Never throws. The signal ends it. */
  send(message: Message, signal: AbortSignal): Promise<Sent>;
  /**
   * Asks the destination whether it accepts messages, without sending one.
   *
   * @returns fields for the log
   * @throws Error that says what is wrong
   */
  check?(): Promise<object>;
}

/** A fact as it is sent now. */
export interface Message {
  /** Stable over retries of the same words. */
  readonly id: string;
  /** With the names of this moment. */
  readonly fact: Fact;
  /** When it happened. */
  readonly at: Date;
  /** Number of facts that this message stands for, at least 1. It shows the last one. */
  readonly reports: number;
  /** The id of the message to reply to, as an earlier `sent` returned it. */
  readonly thread: string | null;
  /** As `addressOf` returned it. */
  readonly address: string;
  /** To the Board; null where its address is not known. */
  readonly link: string | null;
}

/**
 * The outcome of sending. A reason is a code of the destination or of the network; it repeats neither the message nor a secret.
 */
export type Sent =
  /** `message` is the destination's id of the message, if it returned one. */
  | { readonly status: "sent"; readonly message: string | undefined; readonly warning?: string }
  /** The destination accepts nothing for the next so many seconds. */
  | { readonly status: "busy"; readonly reason: string; readonly seconds: number }
  /** A later try may succeed. */
  | { readonly status: "failed"; readonly reason: string }
  /** A later try cannot succeed. */
  | { readonly status: "refused"; readonly reason: string };

/** The outcome of what was not sent. */
export type Unsent = Exclude<Sent, { readonly status: "sent" }>;

/** A kind of destination. */
export interface Kind<Settings = unknown> {
  readonly kind: string;
  /**
   * What a destination of this kind has beside `kind` and `allow_private`. A secret is named by its file, with `secretFile`;
   * `create` gets the secret itself in its place.
   */
  readonly settings: Joi.PartialSchemaMap<Settings>;
  create(settings: Settings, outwards: Outwards): Destination;
}
