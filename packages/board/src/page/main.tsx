import { render } from "preact";

render(<h1>Maturity</h1>, document.body);
