-- What load.ts reads: requests per second, p50 and p99 in milliseconds, failed requests.
local failed, shown = 0, false
function response(status, headers, body)
  if status >= 300 then
    failed = failed + 1
    if not shown then print(status, body) shown = true end
  end
end
function done(summary, latency)
  local errors = summary.errors
  local bad = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  print(string.format("RESULT %.1f %.3f %.3f %d", summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, bad))
end
