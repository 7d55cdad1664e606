import { get } from "node:http";
import { createGunzip } from "node:zlib";

/** Scrapes once as Prometheus does, compressed, and returns seconds and series. */
export function scrape(url: string): Promise<{ seconds: number; series: number }> {
  const begin = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { "accept-encoding": "gzip" } }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${url} answered ${response.statusCode}`));
      let series = 0;
      let seconds = 0;
      let begins = true;
      response.once("end", () => {
        seconds = Number(process.hrtime.bigint() - begin) / 1e9;
      });
      response
        .pipe(createGunzip({ chunkSize: 262_144 })) // in small ones the scraper is what is measured
        .on("data", (chunk: Buffer) => {
          for (let at = 0; at !== -1 && at < chunk.length; ) {
            if (begins && chunk[at] !== hash) series++;
            const feed = chunk.indexOf(lineFeed, at);
            begins = feed !== -1;
            at = feed === -1 ? -1 : feed + 1;
          }
        })
        .once("end", () => resolve({ seconds, series }))
        .once("error", reject);
    });
    request.once("error", reject);
  });
}

const hash = "#".charCodeAt(0);
const lineFeed = "\n".charCodeAt(0);
