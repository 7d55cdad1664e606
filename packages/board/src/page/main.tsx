import { render } from "preact";
import { App } from "./app.tsx";
import { keepFresh } from "./data/refresh.ts";
import { followSession } from "./data/session.ts";
import { start } from "./data/start.ts";
import { followPrinting } from "./parts/printing.ts";
import { followAddress } from "./place.ts";

followAddress();
followPrinting();
keepFresh();
followSession();
void start();
render(<App />, document.body);
