import { base } from './en/base.ts'
import { charts } from './en/charts.ts'
import { commands } from './en/commands.ts'
import { compare } from './en/compare.ts'
import { dataset } from './en/dataset.ts'
import { devices } from './en/devices.ts'
import { explore } from './en/explore.ts'
import { fixes } from './en/fixes.ts'
import { frame } from './en/frame.ts'
import { importing } from './en/importing.ts'
import { library } from './en/library.ts'
import { newRun } from './en/new-run.ts'
import { results, states } from './en/results.ts'
import { run } from './en/run.ts'
import { runs } from './en/runs.ts'
import { settings } from './en/settings.ts'
import { work } from './en/work.ts'

export const en = {
  base,
  charts,
  commands,
  compare,
  dataset,
  devices,
  explore,
  fixes,
  frame,
  importing,
  library,
  newRun,
  results,
  run,
  runs,
  settings,
  states,
  work,
}
