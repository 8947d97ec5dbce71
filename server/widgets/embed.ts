// The elements <vitrine-plans> and <vitrine-download>, which show a vendor's facts on any site.
import { language, plansPart, STYLE } from "./parts.ts";

class Plans extends HTMLElement {
  connectedCallback(): void {
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    root.append(...plansPart({ currency: "USD", cycles: [], plans: [] }, {}, { language: language("en") }));
  }
}
if (!customElements.get("vitrine-plans")) customElements.define("vitrine-plans", Plans);
