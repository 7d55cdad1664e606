export { StaleScreen } from "../screens/stale.tsx";
export { MetricsScreen } from "./metrics-screen.tsx";
