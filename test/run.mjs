// `npm test`: everything that must hold, in order, with one plain line of figures at the end.
// Plain JavaScript without dependencies: it starts on a fresh clone, on any Node from 18.
//   npm test                         all steps
//   npm test -- --only lint,unit     some of: lint, typecheck, build, unit, renderer, property, integration, gpu, e2e
//   npm test -- --only fast          types and units: what a change breaks first
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepareChromium } from './support/chromium.mjs'
import { prepareLanguages } from './support/languages.mjs'
import { prepareOpenMpi } from './support/mpi.mjs'
import { adapterName, prepareAdapter, projectNode } from './support/software-adapter.mjs'
import { testTimes, timesReport } from './support/test-times.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const checks = ['lint', 'typecheck', 'build']
const projects = ['unit', 'renderer', 'property', 'integration', 'gpu', 'e2e']
/** What --only may name beside them. */
const groups = { fast: ['typecheck', 'unit'] }
const onWindows = process.platform === 'win32'
const totals = { passed: 0, failed: 0, skipped: 0 }
const beganMs = performance.now()
/** How long each test took, and its limit. */
const times = []

const say = (line) => console.log(line)
const seconds = (startMs) => `${((performance.now() - startMs) / 1000).toFixed(1)} s`

/** Node 24 first, wherever a step looks for `node`. */
function childEnvironment(extra = {}) {
  const bin = join(root, 'node_modules', '.bin')
  return { ...process.env, ...extra, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` }
}

/** Runs a command quietly; its output is shown only when it fails. */
async function step(name, command, args) {
  const startMs = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    env: childEnvironment(),
    shell: onWindows,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part))
  const status = await new Promise((resolve) => {
    child.once('error', ({ message }) => resolve((text += message)))
    child.once('close', resolve)
  })
  const passed = status === 0
  if (!passed) say(text)
  say(`${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds(startMs)}`)
  if (!passed) totals.failed++
  return passed
}

/** Whether node_modules holds the versions of package-lock.json; packages for other platforms may be absent. */
function isInstalled() {
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return false
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
  const installed = packagesOf(installedFile)
  const wanted = Object.entries(packagesOf(join(root, 'package-lock.json')))
  return wanted.every(
    ([path, { version, optional }]) =>
      path === '' || installed[path]?.version === version || (optional === true && installed[path] === undefined),
  )
}

/** Finds the adapter and sets its environment for the tests; null when there is none, a failure where one is required. */
function chooseAdapter() {
  const startMs = performance.now()
  const { state, adapter, environment, reason } = prepareAdapter({ install: true, log: say })
  if (state === 'missing') {
    say(`FAILED adapter      ${reason}. On Linux as root the GPU tests must run.`)
    totals.failed++
    return null
  }
  if (state === 'absent') say(`GPU tests are left out: ${reason}.`)
  else say(`ok     ${'adapter'.padEnd(12)} ${seconds(startMs)}  ${adapterName(adapter)}`)
  Object.assign(process.env, environment)
  return adapter
}

/** Finds the browser that the pages are driven in; false where there is none, a failure where one is required. */
function chooseBrowser() {
  const { path, required, reason } = prepareChromium({ install: true, log: say })
  if (path !== null) process.env.ANTICLIQUE_CHROMIUM = path
  else if (required) {
    say(`FAILED browser      ${reason}. On Linux as root the pages must be driven.`)
    totals.failed++
  } else say(`Tests of the pages in a browser are left out: ${reason}.`)
  return path !== null
}

/** Says whether the tests of several ranks run; a failure where they must and cannot. */
function chooseMpi() {
  const { mpirun, required, reason } = prepareOpenMpi({ install: true, log: say })
  if (mpirun !== null) return
  if (!required) return say(`Tests of several ranks are left out: ${reason}.`)
  say(`FAILED MPI          ${reason}. On Linux as root the tests of several ranks must run.`)
  totals.failed++
}

/** No test takes so long by itself (their own limit is ten minutes): one that never gives its thread back is ended. */
const SILENT_MS = 12 * 60_000
const LOOK_MS = 5000

/** Ends a process and those that it started. */
function killTree(child) {
  if (onWindows) return void spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'])
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}

/**
 * Runs the tests to their end, or until no test has begun or ended for SILENT_MS: a loop without an end lets no time limit of its own
 * worker fire. Returns the exit status; null where it was ended.
 */
function watched(command, args, course) {
  const startMs = Date.now()
  // A group of its own, which is ended as a whole.
  const child = spawn(command, args, {
    cwd: root,
    env: childEnvironment({ ANTICLIQUE_COURSE: course }),
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: !onWindows,
  })
  const stop = () => killTree(child)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const look = setInterval(() => {
    const lastMs = existsSync(course) ? statSync(course).mtimeMs : startMs
    if (Date.now() - lastMs < SILENT_MS) return
    say(`\nNothing happened for ${SILENT_MS / 60_000} minutes. These tests were going on:`)
    say(existsSync(course) ? readFileSync(course, 'utf8') : 'none yet')
    stop()
  }, LOOK_MS)
  return new Promise((resolve) => child.once('error', () => resolve(null)).once('close', resolve)).finally(() => {
    clearInterval(look)
    process.off('SIGINT', stop).off('SIGTERM', stop)
  })
}

async function runTests(selected) {
  const startMs = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'anticlique-test-'))
  const report = join(folder, 'report.json')
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  // With a star, as files that replace modules are in a project NAME-alone.
  const filters = selected.flatMap((project) => ['--project', `${project}*`])
  const reporters = ['default', 'json', join(root, 'test', 'support', 'course-reporter.mjs')]
  const args = [vitest, 'run', ...filters, ...reporters.map((each) => `--reporter=${each}`)]
  const course = join(folder, 'course')
  const status = await watched(projectNode(), [...args, `--outputFile.json=${report}`], course)
  times.push(...testTimes(`${course}.times`))
  const failedBefore = totals.failed
  if (existsSync(report)) count(JSON.parse(readFileSync(report, 'utf8')))
  rmSync(folder, { recursive: true, force: true })
  // A crash, an error outside any test, or no test at all is a failure too.
  if (status !== 0 && totals.failed === failedBefore) totals.failed++
  say(`${totals.failed === failedBefore ? 'ok    ' : 'FAILED'} ${'tests'.padEnd(12)} ${seconds(startMs)}`)
}

/** Adds up Vitest's report; a file that failed without a single test (it did not load) counts as one failure. */
function count(report) {
  totals.passed += report.numPassedTests
  totals.failed += report.numFailedTests
  totals.skipped += report.numPendingTests + report.numTodoTests
  totals.failed += report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  ).length
}

/** Installs what Debian has for these tests, where that is allowed, in a process of its own: apt-get is waited for. */
function installAhead() {
  const child = spawn(process.execPath, [join(root, 'test', 'support', 'install-ahead.mjs')], { stdio: 'inherit' })
  return new Promise((resolve) => child.once('error', resolve).once('close', resolve))
}

/** The steps named by --only, or all; null for a name that is none. */
function selection(args) {
  const all = [...checks, ...projects]
  const at = args.indexOf('--only')
  if (at === -1) return args.length === 0 ? all : null
  const names = (args[at + 1] ?? '').split(',').flatMap((name) => groups[name] ?? name)
  return args.length === 2 && names.every((name) => all.includes(name)) ? names : null
}

function finish() {
  for (const line of timesReport(times, performance.now() - beganMs)) say(line)
  say(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
  process.exitCode = totals.failed > 0 ? 1 : 0
}

async function main() {
  const selected = selection(process.argv.slice(2))
  if (selected === null) {
    say(`usage: npm test -- [--only ${[...checks, ...projects, ...Object.keys(groups)].join(',')}]`)
    process.exitCode = 2
    return
  }
  const tests = projects.filter((name) => selected.includes(name))
  // Debian's packages come while npm's do; what is missing then is asked for once more below.
  const ahead = tests.includes('integration') || tests.includes('e2e') ? installAhead() : null
  if (!isInstalled() && !(await step('npm ci', 'npm', ['ci', '--no-fund', '--no-audit']))) return finish()
  const check = (name) => selected.includes(name) && step(name, 'npm', ['run', '--silent', name])
  // Before lint, as it leaves a file in the folder for a moment that lint would look at; beside it what the tests need is fetched.
  const built = check('build')
  // It takes one processor, as the build does, and nothing that is built.
  const typed = check('typecheck')
  await ahead
  const needsAdapter = tests.includes('gpu') || tests.includes('integration')
  const adapter = needsAdapter ? chooseAdapter() : null
  if (tests.includes('integration')) chooseMpi()
  if (tests.includes('e2e') && !chooseBrowser()) tests.splice(tests.indexOf('e2e'), 1)
  if (tests.includes('integration')) prepareLanguages({ install: true, log: say })
  await built
  // The others beside the tests, which wait for timers, processes and pages a quarter of their time.
  const inTurn = async () => {
    await typed
    await check('lint')
  }
  await Promise.all([inTurn(), tests.length > 0 ? runTests(tests) : null])
  if (adapter !== null) say(`The GPU tests used ${adapterName(adapter)}.`)
  finish()
}

await main()
