export { Badges } from "../screens/application-badges.tsx";
export { SheetScreen } from "../sheet/sheet-screen.tsx";
export { TimeCard } from "./time-card.tsx";
