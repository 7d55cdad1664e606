-- POST /score: one result.
local here = debug.getinfo(1, "S").source:match("@(.*/)")
dofile(here .. "report.lua")
dofile(here .. "organisation.lua")
local headers = { ["content-type"] = "application/json", ["authorization"] = os.getenv("AUTHORIZATION") }
function request()
  local r = next_result()
  return wrk.format("POST", "/score", headers, string.format(
    '{"area":"%s","team":"%s","app":"%s","env":"%s","scorecard":"%s","metric":"%s","raw":%s,"pipeline_id":"run-%d"}',
    r.area, r.team, r.app, r.env, r.scorecard, r.metric, r.raw, r.run))
end
