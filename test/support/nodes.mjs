// Four "nodes" on one machine: network namespaces with addresses and host names of their own, and a Slurm of them. Linux, as root.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { launcher } from './command-case.mjs'
import { mpiEnvironment } from './mpi.mjs'

const NODES = 4
const TIMEOUT_MS = 180_000
export const folder = mkdtempSync(join(tmpdir(), 'anticlique-ranks-'))
/** The mark in the environment of all processes of these nodes. */
const MARK = 'ANTICLIQUE_NODES'
export const isOurs = (environment) => environment.split('\0').includes(`${MARK}=${folder}`)
export const library = join(folder, 'library')
const names = Array.from({ length: NODES }, (_, i) => `acq${i + 1}`)
const slurm = join(folder, 'slurm')
const daemons = []

export const sh = (words) => spawnSync('bash', ['-c', words], { encoding: 'utf8' })

/** A bridge, and a namespace with an address for each node. */
export function setUp() {
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

export function tearDown() {
  for (const child of daemons) if (child.exitCode === null) child.kill()
  for (const name of ['acqsw', ...names]) sh(`ip netns del ${name}; rm -rf /etc/netns/${name}`)
}

/** Jumbo frames: fewer of them for the switch to pass on. */
const SLOW_MTU = 9000

/** Puts a switch of our own (slow-network.c) in place of the bridge: links of so many bits a second, and a delay on the way to each node. */
export async function slowDown(bitsASecond, delayUs) {
  const program = join(folder, 'slow-network')
  const source = fileURLToPath(new URL('slow-network.c', import.meta.url))
  const made = sh(`cc -O2 -Wall -pthread -o ${program} ${source}`)
  if (made.status !== 0) throw new Error(made.stderr)
  for (const i of names.keys()) sh(`ip -n acqsw link del acqb${i}`)
  const ports = names.flatMap((name, i) => [`/run/netns/${name}`, `acqv${i}`])
  const child = spawn(program, [String(bitsASecond), String(delayUs), ...ports], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  daemons.push(child)
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('the slow network could not be made')
    }),
  ])
  const lines = names.flatMap((name, i) => [
    `ip -n ${name} addr add 10.77.0.${i + 1}/24 dev acqv${i}`,
    `ip -n ${name} link set acqv${i} mtu ${SLOW_MTU} up`,
  ])
  const { status, stderr } = sh(lines.join(' && '))
  if (status !== 0) throw new Error(`the slow network could not be made: ${stderr}`)
}

/** Bytes that the nodes received so far. */
export const nodeBytes = () =>
  names.map((name, i) => Number(sh(`ip netns exec ${name} cat /sys/class/net/acqv${i}/statistics/rx_bytes`).stdout))

const slurmLines = (run) => `ClusterName=acq
SlurmctldHost=acq1(10.77.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=${run}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmctldPidFile=${run}/ctld.pid
SlurmdPidFile=${run}/%n.pid
SlurmdSpoolDir=${run}/spool-%n
StateSaveLocation=${run}/ctld
SlurmctldLogFile=${run}/ctld.log
SlurmdLogFile=${run}/%n.log
ReturnToService=2
SwitchType=switch/none
KillWait=5
NodeName=acq[1-4] NodeAddr=10.77.0.[1-4] CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=acq[1-4] Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
`

/** Its daemons on the nodes; PMIx has a folder of its own on each. */
export async function startSlurm() {
  for (const name of ['ctld', ...names.flatMap((node) => [`spool-${node}`, `tmp-${node}`])])
    mkdirSync(join(slurm, name), { recursive: true })
  writeFileSync(join(slurm, 'slurm.conf'), slurmLines(slurm))
  writeFileSync(join(slurm, 'cgroup.conf'), 'CgroupPlugin=cgroup/v1\n')
  writeFileSync(join(slurm, 'mpi.conf'), 'PMIxCliTmpDirBase=/run/acqtmp\n')
  const { status, stderr } = sh(
    `chmod 755 ${folder} ${slurm}; mkdir -p /run/acqtmp; head -c 1024 /dev/urandom > ${slurm}/key; chmod 400 ${slurm}/key`,
  )
  if (status !== 0) throw new Error(stderr)
  const munge = ['socket', 'pid-file', 'seed-file', 'log-file'].map(
    (file) => `--${file}=${slurm}/munge.${file.split('-')[0]}`,
  )
  daemon('munged', '--foreground', '--force', `--key-file=${slurm}/key`, ...munge)
  const inNode = (name, ...words) =>
    daemon(
      ...['ip', 'netns', 'exec', name, 'unshare', '--uts', '--mount', 'bash', '-c'],
      ...[`hostname "$0"; mount --bind ${slurm}/tmp-$0 /run/acqtmp; exec "$@"`, name, ...words],
    )
  inNode(names[0], 'slurmctld', '-D', '-f', join(slurm, 'slurm.conf'))
  for (const name of names) inNode(name, 'slurmd', '-D', '-N', name, '-f', join(slurm, 'slurm.conf'))
  for (let tries = 0; ; tries++) {
    const { stdout, stderr: said } = sh(`SLURM_CONF=${slurm}/slurm.conf ip netns exec acq1 sinfo -h -o %T`)
    if (stdout.trim() === 'idle') return
    if (tries > 60) throw new Error(`Slurm did not start: ${stdout}${said}`)
    await pause(500)
  }
}

function daemon(name, ...words) {
  const env = { ...process.env, SLURM_CONF: join(slurm, 'slurm.conf'), PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
  daemons.push(spawn(name, words, { env, stdio: 'ignore' }))
}

const srun = (pmi, ranks) => [
  ...['srun', `--mpi=${pmi}`, '--kill-on-bad-exit=1', '--overcommit', '--oversubscribe'],
  ...[`-N${Math.min(ranks, NODES)}`, `-n${ranks}`],
]

/** The words that start so many ranks. */
export const launches = {
  openmpi: (ranks) => [
    ...['mpirun.openmpi', '--bind-to', 'none', '--map-by', 'node', '--mca', 'plm_rsh_agent', join(folder, 'agent.sh')],
    ...['--hostfile', join(folder, 'openmpi'), '--mca', 'btl_tcp_if_include', '10.77.0.0/24'],
    ...[
      '--mca',
      'oob_tcp_if_include',
      '10.77.0.0/24',
      '-x',
      'OMPI_MCA_mpi_yield_when_idle=1',
      '-x',
      MARK,
      '-n',
      String(ranks),
    ],
  ],
  mpich: (ranks) => [
    ...['mpirun.mpich', '-launcher', 'ssh', '-launcher-exec', join(folder, 'agent.sh')],
    ...['-f', join(folder, 'mpich'), '-n', String(ranks)],
  ],
  'slurm-pmix': (ranks) => srun('pmix', ranks),
  'slurm-pmi2': (ranks) => srun('pmi2', ranks),
}

/** A Node of another version, if there is one: the command line starts itself again under its own Node then. */
export const otherNode = (process.env.PATH ?? '')
  .split(':')
  .map((path) => join(path, 'node'))
  .find(
    (node) => spawnSync(node, ['-p', 'process.versions.node.startsWith("24.")']).stdout?.toString().trim() === 'false',
  )

/** A command on the first node, or by a launcher on all. */
export const start = (launch, ...words) => startUnder(process.execPath, launch, ...words)

export function startUnder(node, launch, ...words) {
  const command = [...launch, node, launcher, '--library', library, '--json', ...words]
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
  // Why tree: docs/cluster.md.
  const env = {
    ...process.env,
    ...mpiEnvironment,
    SLURM_CONF: join(slurm, 'slurm.conf'),
    SLURM_PMIX_FENCE: 'tree',
    [MARK]: folder,
  }
  const child = spawn('ip', [...inNode, ...command], { env, detached: true, cwd: folder })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (part) => (stdout += part))
  child.stderr.on('data', (part) => (stderr += part))
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })))
  return { child, ended }
}

/** The document that a command prints. */
export async function answer(launch, ...words) {
  const { child, ended } = start(launch, ...words)
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), TIMEOUT_MS)
  const { code, stdout, stderr } = await ended
  clearTimeout(timer)
  const line = stdout.split('\n').find((each) => each.startsWith('{'))
  if (code !== 0 || line === undefined) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}${stdout}`)
  return JSON.parse(line)
}

export function removeAll() {
  tearDown()
  sh(`umount /run/acqtmp; rmdir /run/acqtmp`)
  rmSync(folder, { recursive: true, force: true })
}
