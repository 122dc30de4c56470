// Kills the engine, then the main process, with SIGKILL at random moments of streamed runs, goes on with each run, and compares the
// sets. Needs /proc (Linux), Node 24 and the built program (npm run build).
//   node test/scripts/kill-run.mjs [--times 30] [--vertices 1000000] [--degree 32] [--memory 12MiB] [--devices cpu:0]
//     [--algorithm ecl-mis|mg-mis|tc-mis|ld-gpu] [--options '{"weights":"random3"}']
import { parseArgs } from 'node:util'
import { StreamedRuns, engineOf, isAlive, pause, runOptions, until, withStandards } from './streamed-run.mjs'

const ENGINE_PATIENCE_MS = 10_000
const values = withStandards(parseArgs({ options: runOptions }).values)
const runs = new StreamedRuns(values)
const wholeMs = await runs.wholeMs(values.devices)
console.log(
  `whole: ${Math.round(wholeMs)} ms, hash ${runs.hash}, ${runs.whole.rounds} rounds, ${runs.options.join(' ')}`,
)

/** Starts a run, kills one of its processes after a while, and says what became of it; null where the run was faster. */
async function killed(victim, ms) {
  const { child, ended } = runs.start(values.devices)
  await until(() => engineOf(child.pid) !== undefined, ENGINE_PATIENCE_MS, 'the engine starts')
  const engine = engineOf(child.pid)
  await pause(ms)
  if (!isAlive(engine) || !isAlive(child.pid)) {
    await ended
    return null
  }
  process.kill(victim === 'engine' ? engine : child.pid, 'SIGKILL')
  const { code, signal } = await ended
  await until(() => !isAlive(engine), ENGINE_PATIENCE_MS, 'no engine is left behind')
  return { code, signal }
}

/** What is wrong with a run that was interrupted and gone on with; empty where nothing is. */
function faultsOf(run, stage, resumed) {
  const faults = []
  if (!(stage === null ? /^anew: there was no/ : /^from the checkpoint/).test(resumed.resumed))
    faults.push(resumed.resumed)
  if (runs.stageOf(run.id) !== null) faults.push('its checkpoint is still there')
  if (run.state !== 'interrupted') faults.push(`state ${run.state}`)
  if (resumed.result.hash !== runs.hash) faults.push(`hash ${resumed.result.hash}`)
  if (resumed.verified !== true) faults.push('not verified')
  if (runs.unfinished(run.id).length > 0) faults.push(`left ${runs.unfinished(run.id)}`)
  if (runs.integrity() !== 'ok') faults.push(`integrity: ${runs.integrity()}`)
  if (values.algorithm === 'tc-mis' && resumed.rounds !== runs.whole.rounds) faults.push(`${resumed.rounds} rounds`)
  return faults
}

for (const victim of ['engine', 'main process']) {
  let [good, killsInState] = [0, {}]
  for (let i = 0; i < Number(values.times);) {
    const ms = Math.round(wholeMs * Math.random())
    const end = await killed(victim, ms)
    const run = runs.newest()
    if (end === null || run.state === 'done') continue
    i++
    const stage = runs.stageOf(run.id)
    const startMs = performance.now()
    const resumed = runs.answer('run', '--resume', run.id)
    const resumedMs = Math.round(performance.now() - startMs)
    const faults = faultsOf(run, stage, resumed)
    if (faults.length === 0) good++
    const when = stage === null ? 'before the first checkpoint' : 'later'
    killsInState[when] = (killsInState[when] ?? 0) + 1
    console.log(
      `${victim} after ${ms} ms (exit ${end.code ?? end.signal}): ${run.state}, ${stage ?? 'no checkpoint'}; gone on in ${resumedMs} ms: ` +
        `read ${(resumed.bytes.read / 1e6).toFixed(1)} MB, ${faults.length === 0 ? 'same result' : faults.join(', ')}`,
    )
  }
  console.log(`${victim}: ${good} of ${values.times} good; ${JSON.stringify(killsInState)}`)
  if (good < Number(values.times)) process.exitCode = 1
}
runs.remove()
