-- Random targets and results, the same mix for every side.
local results = {
  { "security", "image_scan", '{"critical":0,"high":%d,"medium":12}' },
  { "security", "dast", '{"high":%d,"medium":3}' },
  { "reliability", "mttr", '{"minutes":%d}' },
  { "application", "unit_coverage", '{"coverage_pct":%d}' },
}
local count = 0
function next_result()
  count = count + 1
  local app = math.random(0, 9999)
  local result = results[count % #results + 1]
  local team = math.floor(app / 20)
  return {
    area = "area-" .. math.floor(team / 10), team = "team-" .. team, app = "application-" .. app, env = "prod",
    scorecard = result[1], metric = result[2], raw = string.format(result[3], count % 90), run = count,
  }
end
