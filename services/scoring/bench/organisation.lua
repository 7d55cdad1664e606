-- Random targets and results, the same mix for every side. VALUES=same repeats one value of each metric; VALUES=new takes
-- values of which hardly two have the same score. APPS tells how many applications there are, APP what their names begin
-- with.
local results = {
  { "security", "image_scan", '{"critical":0,"high":%d,"medium":12}', 0, 60 },
  { "security", "dast", '{"high":%d,"medium":3}', 0, 18 },
  { "reliability", "mttr", '{"minutes":%d}', 61, 9000 },
  { "application", "unit_coverage", '{"coverage_pct":%d}', 0, 80 },
}
local count, values = 0, os.getenv("VALUES")
local apps, named = tonumber(os.getenv("APPS") or 10000), os.getenv("APP") or "application"
function next_result()
  count = count + 1
  local app = math.random(0, apps - 1)
  local result = results[count % #results + 1]
  local team = math.floor(app / 20)
  local value = count % 90
  if values == "same" then value = 70 end
  if values == "new" then value = result[4] + math.random(0, result[5] - 1) end
  return {
    area = "area-" .. math.floor(team / 10), team = "team-" .. team, app = named .. "-" .. app, env = "prod",
    scorecard = result[1], metric = result[2], raw = string.format(result[3], value), run = count,
  }
end
