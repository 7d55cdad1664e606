-- POST /scores: 1,000 results at once.
local here = debug.getinfo(1, "S").source:match("@(.*/)")
dofile(here .. "report.lua")
dofile(here .. "organisation.lua")
local headers = { ["content-type"] = "application/json" }
function request()
  local parts = {}
  for i = 1, 1000 do
    local r = next_result()
    parts[i] = string.format(
      '{"area":"%s","team":"%s","app":"%s","env":"%s","scorecard":"%s","metric":"%s","raw":%s,"pipeline_id":"run-%d"}',
      r.area, r.team, r.app, r.env, r.scorecard, r.metric, r.raw, r.run)
  end
  return wrk.format("POST", "/scores", headers, '{"scores":[' .. table.concat(parts, ",") .. "]}")
end
