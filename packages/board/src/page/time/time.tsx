import { partOf } from "../parts/part.tsx";
import { TimeToCome } from "./time-to-come.tsx";

/** The trend of an area, a team or an application, which is loaded after what stands beside it. */
export const Time = partOf(async () => (await import("./part.ts")).TimeCard, TimeToCome);
