import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { useDirectory } from "./service-process.ts";

/** A key and a certificate of its own for these names, for one test. */
export async function useCertificate(...names: string[]): Promise<{ key: string; cert: string }> {
  const folder = await useDirectory();
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  await promisify(execFile)("openssl", [
    ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=test".split(" "),
    ...["-addext", `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`],
    ...["-keyout", keyFile, "-out", certFile],
  ]);
  return { key: await readFile(keyFile, "utf8"), cert: await readFile(certFile, "utf8") };
}

/**
 * Lets this process trust a certificate for one test, as NODE_EXTRA_CA_CERTS does.
 *
 * @returns a function that ends the trust earlier
 */
export function useTrust(certificate: string): () => void {
  const before = getCACertificates();
  const end = () => setDefaultCACertificates(before);
  setDefaultCACertificates([...before, certificate]);
  onTestFinished(end);
  return end;
}
