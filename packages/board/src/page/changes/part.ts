export { HappenedScreen } from "../happened/happened-screen.tsx";
export { ChangesScreen } from "./changes-screen.tsx";
