import type { PushProviders } from "./provider.ts";

/** A notification at the stand-in for the push services. */
export interface StandInPush {
  /** ISO 8601. */
  at: string;
  service: "APNs" | "FCM";
  device: string;
  /** The text of the notification; null if it was rejected. */
  text: string | null;
  /** The event's position in its chain. */
  seq: number | null;
  /** `delivered`, or the error's code. */
  response: string;
  /** True if a later notification with the same collapse key has replaced it. */
  replaced: boolean;
}

/** A token of a phone that the stand-in can reach. */
export interface StandInPhone {
  platform: "ios" | "android";
  token: string;
  /** How it handles notifications. */
  behaviour: string;
}

/** Everything that `/dev/push` shows. */
export interface PushInbox {
  /** The notifications, newest first. */
  readonly pushes: readonly StandInPush[];
  readonly phones: readonly StandInPhone[];
  /** True if the services accept nothing. */
  outage: boolean;
}

/** The stand-in for the services that reach phones, in development. */
export interface PushStandIn {
  providers: PushProviders;
  inbox: PushInbox;
}
