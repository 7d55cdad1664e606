// It is here, because a part of its own would split what all parts share into more files.
export { YoursScreen } from "../screens/yours.tsx";
export { AskForm } from "./ask-form.tsx";
export { AskedScreen } from "./asked-screen.tsx";
export { WaitingScreen } from "./waiting-screen.tsx";
export { WaiversScreen } from "./waivers-screen.tsx";
