import { mergeReadings, readReport } from "@maturity/reports";

const shards = [
  "SF:src/cart.ts\nDA:1,1\nDA:2,0\nDA:3,0\nDA:4,0\nend_of_record\n",
  "SF:src/cart.ts\nDA:1,1\nDA:2,7\nDA:3,0\nDA:4,0\nend_of_record\n",
];

const merged = mergeReadings(shards.map((shard) => readReport(shard, { metric: "integration_coverage" })));
console.log(merged.metrics.integration_coverage);

// It prints:
// { coverage_pct: 50, covered: 2, total: 4 }
