import { type Input, minutesAsTime } from "@maturity/core";

/** A percentage. */
export const percentage: Input = { unit: "%", min: 0, max: 100 };

/** A duration in minutes, up to ten years. */
export const minutes: Input = { unit: minutesAsTime, min: 0, max: 5_256_000 };
