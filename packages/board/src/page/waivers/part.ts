export { YoursScreen } from "../screens/yours.tsx";
export { AskForm } from "./ask-form.tsx";
export { AskedScreen } from "./asked-screen.tsx";
export { WaitingScreen } from "./waiting-screen.tsx";
export { WaiversScreen } from "./waivers-screen.tsx";
