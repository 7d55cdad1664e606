export { TimeCard } from "./time-card.tsx";
