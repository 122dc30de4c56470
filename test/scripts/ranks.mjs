// Runs across ranks on four "nodes" of one machine: network namespaces with addresses and host names of their own.
// As root on Linux, after npm run build, with openmpi-bin and mpich installed:
//   node test/scripts/ranks.mjs results   hashes of both MPIs with 1 to 8 ranks are those of one process
//   node test/scripts/ranks.mjs kills 20  SIGKILL of ranks, of rank 0 and of the launcher at random moments; then resumed
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { mpiEnvironment } from '../support/mpi.mjs'

const NODES = 4
const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'anticlique-ranks-'))
const library = join(folder, 'library')
const names = Array.from({ length: NODES }, (_, i) => `acq${i + 1}`)
const sh = (words) => spawnSync('bash', ['-c', words], { encoding: 'utf8' })

/** A bridge, and a namespace with an address for each node. */
function setUp() {
  tearDown()
  const lines = ['ip netns add acqsw', 'ip -n acqsw link add br0 type bridge', 'ip -n acqsw link set br0 up']
  const hosts = ['127.0.0.1 localhost', ...names.map((name, i) => `10.77.0.${i + 1} ${name}`)].join('\n')
  for (const [i, name] of names.entries()) {
    lines.push(`ip netns add ${name}`, `ip link add acqv${i} type veth peer name acqb${i}`)
    lines.push(`ip link set acqv${i} netns ${name}`, `ip link set acqb${i} netns acqsw`)
    lines.push(`ip -n acqsw link set acqb${i} master br0 up`, `ip -n ${name} link set lo up`)
    lines.push(`ip -n ${name} addr add 10.77.0.${i + 1}/24 dev acqv${i}`, `ip -n ${name} link set acqv${i} up`)
    mkdirSync(`/etc/netns/${name}`, { recursive: true })
    writeFileSync(`/etc/netns/${name}/hosts`, `${hosts}\n`)
  }
  const { status, stderr } = sh(lines.join(' && '))
  if (status !== 0) throw new Error(`the namespaces could not be made: ${stderr}`)
  const inNode = 'ip netns exec "$host" unshare --uts --ipc bash -c'
  const agent = `#!/bin/bash\nwhile [[ $1 == -* ]]; do shift; done\nhost=$1; shift\nexec ${inNode} 'hostname "$0"; exec bash -c "$1"' "$host" "$*"\n`
  writeFileSync(join(folder, 'agent.sh'), agent, { mode: 0o755 })
  writeFileSync(join(folder, 'openmpi'), names.map((name) => `${name} slots=8\n`).join(''))
  writeFileSync(join(folder, 'mpich'), names.map((name) => `${name}:1\n`).join(''))
}

function tearDown() {
  for (const name of ['acqsw', ...names]) sh(`ip netns del ${name}; rm -rf /etc/netns/${name}`)
}

const launches = {
  openmpi: (ranks) => [
    ...['mpirun.openmpi', '--bind-to', 'none', '--map-by', 'node', '--mca', 'plm_rsh_agent', join(folder, 'agent.sh')],
    ...['--hostfile', join(folder, 'openmpi'), '--mca', 'btl_tcp_if_include', '10.77.0.0/24'],
    ...['--mca', 'oob_tcp_if_include', '10.77.0.0/24', '-x', 'OMPI_MCA_mpi_yield_when_idle=1', '-n', String(ranks)],
  ],
  mpich: (ranks) => [
    ...['mpirun.mpich', '-launcher', 'ssh', '-launcher-exec', join(folder, 'agent.sh')],
    ...['-f', join(folder, 'mpich'), '-n', String(ranks)],
  ],
}

/** A command on the first node, or by a launcher on all. */
function start(launch, ...words) {
  const command = [...launch, process.execPath, launcher, '--library', library, '--json', ...words]
  const inNode = [
    'netns',
    'exec',
    names[0],
    'unshare',
    '--uts',
    '--ipc',
    'bash',
    '-c',
    'hostname "$0"; exec "$@"',
    names[0],
  ]
  const child = spawn('ip', [...inNode, ...command], { env: { ...process.env, ...mpiEnvironment }, detached: true })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (part) => (stdout += part))
  child.stderr.on('data', (part) => (stderr += part))
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })))
  return { child, ended }
}

async function answer(launch, ...words) {
  const { child, ended } = start(launch, ...words)
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 180_000)
  const { code, stdout, stderr } = await ended
  clearTimeout(timer)
  const line = stdout.split('\n').find((each) => each.startsWith('{'))
  if (code !== 0 || line === undefined) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}${stdout}`)
  return JSON.parse(line)
}

const graphs = [
  ['rmat', '--scale', '20', '--edge-factor', '8'],
  ['uniform', '--vertices', '300000', '--degree', '12'],
  ['grid', '--rows', '700', '--columns', '700'],
]
const requests = [
  ['--priority', 'degree'],
  ['--priority', 'ecl', '--devices', 'cpu:0,cpu:1'],
  ['--algorithm', 'mg-mis', '--priority', 'hash'],
  ['--algorithm', 'ld-gpu', '--weights', 'random3'],
]

async function results() {
  const edges = (list) => list.map(([u, v]) => `${u} ${v}\n`).join('')
  const path = join(folder, 'path.txt')
  writeFileSync(path, edges(Array.from({ length: 100_000 }, (_, v) => [v, v + 1])))
  const star = join(folder, 'star.txt')
  writeFileSync(star, edges(Array.from({ length: 100_000 }, (_, v) => [0, v + 1])))
  const sources = [...graphs.map(([model, ...how]) => ['generate', model, ...how, '--name', model])]
  for (const words of sources) await answer([], ...words)
  for (const [name, file] of [
    ['path', path],
    ['star', star],
  ])
    await answer([], 'import', file, '--name', name)
  let same = 0
  for (const name of [...graphs.map(([model]) => model), 'path', 'star'])
    for (const words of requests) {
      const { result } = await answer([], 'run', name, ...words)
      for (const kind of Object.keys(launches))
        for (const ranks of [1, 2, 3, 4, 8]) {
          const made = await answer(launches[kind](ranks), 'run', name, ...words, '--across', 'mpi')
          const isSame = made.result.hash === result.hash && made.options.ranks === ranks
          if (isSame) same++
          else process.exitCode = 1
          console.log(`${isSame ? 'same' : 'OTHER'} ${name} ${words.join(' ')} ${kind} ${ranks} ${made.result.hash}`)
        }
    }
  console.log(`${same} results across ranks are those of one process`)
}

/** Processes of the run by what they are: `command` of each rank, `engine` of each, the launcher. */
function processes() {
  const found = { command: [], engine: [], launcher: [] }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      const env = readFileSync(`/proc/${pid}/environ`, 'utf8')
      if (/^mpirun/.test(words[0] ?? '') && words.includes(library)) found.launcher.push(Number(pid))
      if (!env.includes('OMPI_COMM_WORLD_RANK=')) continue
      const rank = Number(/OMPI_COMM_WORLD_RANK=(\d+)/.exec(env)[1])
      if (words.includes(launcher) && words.includes(library)) found.command.push({ pid: Number(pid), rank })
      else if (words.some((word) => word.endsWith('engine.js'))) found.engine.push({ pid: Number(pid), rank })
    } catch {
      // It ended meanwhile.
    }
  return found
}

async function kills(times) {
  await answer([], 'generate', 'rmat', '--scale', '21', '--edge-factor', '16', '--name', 'web')
  const { result } = await answer([], 'run', 'web')
  let right = 0
  for (let i = 0; i < times; i++) {
    const kind = ['engine', 'command', 'launcher'][i % 7 === 6 ? 2 : i % 2]
    const { child, ended } = start(
      launches.openmpi(4),
      'run',
      'web',
      '--across',
      'mpi',
      '--checkpoint',
      '0',
      '--name',
      `kill ${i}`,
    )
    await pause(2500 + Math.random() * 6000)
    const all = processes()
    const rank = i % 4
    const victim = kind === 'launcher' ? all.launcher[0] : all[kind].find((each) => each.rank === rank)?.pid
    if (victim === undefined) {
      console.log(`${i}: the run was over`)
      await ended
      continue
    }
    process.kill(victim, 'SIGKILL')
    const startMs = performance.now()
    const { code, signal } = await Promise.race([ended, pause(30_000, { code: 'none' })])
    const tookMs = performance.now() - startMs
    let left = processes()
    for (let wait = 0; left.command.length + left.engine.length > 0 && wait < 100; wait++) {
      await pause(100)
      left = processes()
    }
    const { runs } = await answer([], 'runs')
    const run = runs.find(({ name }) => name === `kill ${i}`)
    const again =
      run.state === 'done'
        ? run
        : await answer(launches.openmpi(1 + (i % 3)), 'run', '--resume', run.id, '--across', 'mpi')
    const hash = again.result?.hash ?? again.hash
    const isRight = run.state === 'interrupted' && hash === result.hash && tookMs < 10_000 && left.engine.length === 0
    if (isRight) right++
    else process.exitCode = 1
    console.log(
      `${i}: ${kind}${kind === 'launcher' ? '' : ` of rank ${rank}`}: launcher ended with ${code ?? signal} in ${(tookMs / 1000).toFixed(1)} s, ${run.state}, ${hash === result.hash ? 'same' : 'OTHER'} hash (${again.resumed ?? ''}), ${left.engine.length} engines left`,
    )
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  console.log(`${right} of ${times} kills ended as they should`)
}

try {
  setUp()
  const [what, times = '20'] = process.argv.slice(2)
  if (what === 'results') await results()
  else if (what === 'kills') await kills(Number(times))
  else console.log('usage: node test/scripts/ranks.mjs results | kills [TIMES]')
} finally {
  tearDown()
  rmSync(folder, { recursive: true, force: true })
}
