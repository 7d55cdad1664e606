export { CampaignScreen } from "./campaign-screen.tsx";
export { CampaignsScreen } from "./campaigns-screen.tsx";
