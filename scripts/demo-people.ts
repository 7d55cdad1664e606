import type { Person } from "../services/scoring/test/support/openid-pages.ts";

/** The people of the demo. */
export const people: readonly Person[] = [
  {
    ...{ sub: "rita", name: "Rita Reader", email: "rita@example.com", groups: ["shop", "visitors"] },
    about: "reads the area shop, and asks for nothing",
  },
  {
    ...{ sub: "tom", name: "Tom Lead", email: "tom@example.com", groups: ["shop/checkout", "shop/storefront"] },
    about: "leads the teams checkout and storefront of shop, asks for waivers, and makes badges",
  },
  {
    ...{ sub: "sonia", name: "Sonia Security", email: "sonia@example.com", groups: ["security-office"] },
    about: "reads everything, decides about waivers, and makes campaigns",
  },
];

/** The file of OIDC_CONFIG by which these people sign in. */
export function signInConfig({ url, clientId }: { readonly url: string; readonly clientId: string }): string {
  return `sign_in:
  issuer: ${url}
  client_id: ${clientId}
  contact: sonia@example.com
  rules:
    - match: { groups: shop }
      grant: { scopes: [read], area: shop }
    - match: { groups: "{area}/{team}" }
      grant: { scopes: [read, "badge:write"], area: "{area}", team: "{team}" }
    - match: { groups: visitors }
      deny: ["waiver:request"]
    - match: { groups: security-office }
      grant: { scopes: [read, "waiver:write", "campaign:write"] }
`;
}
