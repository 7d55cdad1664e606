export { MetricsScreen } from "./metrics-screen.tsx";
