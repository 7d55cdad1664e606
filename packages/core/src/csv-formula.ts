/**
 * A text that a spreadsheet would run as a formula; some spreadsheets also read the wide forms of the signs that begin
 * a formula (https://owasp.org/www-community/attacks/CSV_Injection). A package with its version, such as
 * `@maturity/security@1.0.0`, is excepted. An own apostrophe before a formula gets another, so that `@maturity/backfill`
 * can take away exactly the added ones.
 */
export const csvFormula: RegExp =
  /^'*\s*(?:[=+\-\uff1d\uff0b\uff0d\uff20\t\r\n]|@(?!(?<=^@)[a-z][\w.-]*\/[a-z][\w.-]*@\d[\w.+-]*$))/;
