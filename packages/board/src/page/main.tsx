import { render } from "preact";
import { App } from "./app.tsx";
import { keepFresh } from "./data/refresh.ts";
import { findSession } from "./data/session.ts";
import { followPrinting } from "./parts/printing.ts";
import { followAddress } from "./place.ts";

followAddress();
followPrinting();
keepFresh();
render(<App />, document.body);
void findSession();
