-- Pushgateway: one metric of one application; POST leaves the others of its group.
local here = debug.getinfo(1, "S").source:match("@(.*/)")
dofile(here .. "report.lua")
dofile(here .. "organisation.lua")
function request()
  local r = next_result()
  return wrk.format("POST", string.format("/metrics/job/maturity/area/%s/team/%s/app/%s/env/%s", r.area, r.team, r.app, r.env),
    nil, string.format("# TYPE maturity_score_%s gauge\nmaturity_score_%s %d\n", r.metric, r.metric, r.run % 101))
end
