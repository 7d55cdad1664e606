export { Badges } from "../screens/application-badges.tsx";
export { NothingCounts } from "../screens/nothing-counts.tsx";
export { SheetScreen } from "../sheet/sheet-screen.tsx";
export { TimeCard } from "./time-card.tsx";
