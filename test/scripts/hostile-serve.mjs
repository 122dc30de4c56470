// Sends `anticlique serve` what no browser would (broken HTTP and WebSocket frames, huge and endless bodies, foreign origins, paths out of the page, calls
// with mad arguments, clients that never read), with and without its secret, and holds thousands of idle connections, while runs are computed through it:
// it answers nothing to whoever has no secret, every run has the same set, it forgets the connections and ends without remains. Linux, Node 24, built.
//   node test/scripts/hostile-serve.mjs [--requests 2000] [--idle 2000] [--seed 1]     (idle connections need `ulimit -n` of some thousands)
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import WebSocket from 'ws'
import { drawsFrom, inPatience } from '../support/attacks.mjs'
import { launcher } from '../support/command-case.mjs'
import { residentBytes } from '../support/process-memory.mjs'
import { attacks } from './hostile-requests.mjs'
import { pause, until } from './streamed-run.mjs'

const options = {
  requests: { type: 'string', default: '2000' },
  idle: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '1' },
}
const { requests, idle, seed } = parseArgs({ options }).values
const PATIENCE_MS = 120_000
const RUN_EVERY = 100
/** For an answer to a hostile request: one that waits for more is left. */
const LOOK_MS = 40
const random = drawsFrom(seed)

const folder = mkdtempSync(join(tmpdir(), 'hostile-serve-'))
const library = join(folder, 'library')
const program = spawn(process.execPath, [launcher, '--json', '--library', library, 'serve'])
let stderr = ''
program.stderr.setEncoding('utf8').on('data', (part) => (stderr += part))
const line = await new Promise((resolve) => program.stdout.once('data', resolve))
const url = new URL(JSON.parse(line).url)
const token = url.searchParams.get('token')
const entered = await fetch(url, { redirect: 'manual' })
const place = { host: url.host, origin: url.origin, token, cookie: entered.headers.getSetCookie()[0].split(';')[0] }
const files = () => readdirSync(`/proc/${program.pid}/fd`).length

/** A client that does as pages do. */
class Client {
  #replies = new Map()
  #next = 0

  async open() {
    this.socket = new WebSocket(`ws://${url.host}/socket`, ['anticlique', `token.${token}`])
    this.socket.on('message', (text) => {
      const { id, reply } = JSON.parse(text)
      this.#replies.get(id)?.(reply)
    })
    await new Promise((resolve, reject) => this.socket.once('open', resolve).once('error', reject))
  }

  async call(name, args) {
    const id = this.#next++
    const replied = new Promise((resolve) => this.#replies.set(id, resolve))
    this.socket.send(JSON.stringify({ id, name, args }))
    const reply = await inPatience(replied, PATIENCE_MS, { ok: false, failure: { what: `no answer to ${name}` } })
    this.#replies.delete(id)
    if (!reply.ok) throw new Error(`${name}: ${reply.failure.what}`)
    return reply.result
  }
}

const client = new Client()
await client.open()
await client.call('datasets.generate', { model: 'rmat', scale: 14, edgeFactor: 8, seed: 3, name: 'graph' })
const request = { dataset: 'graph', algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 0, verify: true }
const hashes = new Set()
async function computed() {
  const { run } = await client.call('runs.start', { request })
  const ended = (await client.call('runs.wait', { run: run.id })).run
  hashes.add(`${ended.state} ${ended.hash}`)
  await client.call('runs.remove', { run: run.id })
}

const faults = []
/** Sends it all and looks at what comes within a while. */
function sent(parts, everyMs) {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), '127.0.0.1')
    let text = ''
    const end = () => {
      socket.destroy()
      resolve(text)
    }
    socket.on('data', (bytes) => (text += bytes.toString('latin1')))
    socket.on('error', end).on('close', end)
    socket.on('connect', async () => {
      for (const part of parts) {
        if (!socket.destroyed) socket.write(part)
        await pause(everyMs)
      }
      setTimeout(end, LOOK_MS)
    })
  })
}

await computed()
await pause(500)
const [filesBefore, bytesBefore] = [files(), residentBytes(program.pid)]
const kinds = Object.keys(attacks)
const counts = Object.fromEntries(kinds.map((kind) => [kind, { sent: 0, refused: 0, 'no answer': 0, answered: 0 }]))
let most = 0
for (let i = 0; i < Number(requests); i++) {
  const kind = kinds[random(kinds.length)]
  const { parts, everyMs = 0, isOurs } = attacks[kind](place, random)
  const answer = await sent(parts, everyMs)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
  counts[kind].sent++
  counts[kind][status >= 400 ? 'refused' : status === 0 ? 'no answer' : 'answered']++
  if (!isOurs && (status === 101 || /"reply"|root:|"dataset"/.test(answer)))
    faults.push(`${kind}: ${answer.slice(0, 200)}`)
  if (status >= 500 && status !== 507 && status !== 505 && status !== 501)
    faults.push(`${kind}: ${answer.slice(0, 200)}`)
  if (i % RUN_EVERY === RUN_EVERY - 1) await computed()
  most = Math.max(most, residentBytes(program.pid))
}
console.table(counts)

// Idle ones: half of them WebSockets, which have the secret, half HTTP, which have it and stay open, or lack it and are replaced.
const held = []
const startMs = performance.now()
for (let i = 0; i < Number(idle); i++) {
  const first = [
    `GET /socket HTTP/1.1\r\nHost: ${url.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: anticlique, token.${token}\r\n\r\n`,
    i % 4 === 1 ? '' : `GET /session HTTP/1.1\r\nHost: ${url.host}\r\nCookie: ${place.cookie}\r\n\r\n`,
  ][i % 2]
  const socket = connect(Number(url.port), '127.0.0.1')
  socket.on('error', () => {}).resume()
  await new Promise((resolve) => socket.once('connect', () => socket.write(first, resolve)))
  held.push(socket)
}
const openOnes = () => held.filter((socket) => !socket.closed).length
for (let i = 0; i < 5; i++) await computed()
console.log(
  `${idle} idle connections in ${Math.round(performance.now() - startMs)} ms with 5 runs: ${openOnes()} open, ${files()} files, ` +
    `${Math.round(residentBytes(program.pid) / 1e6)} MB`,
)
for (const socket of held) socket.destroy()
await until(
  () => files() <= filesBefore + 40,
  PATIENCE_MS,
  `connections are forgotten (${files()} files, ${filesBefore} before)`,
)
await computed()
console.log(
  `files ${filesBefore} before, ${files()} after; memory ${Math.round(bytesBefore / 1e6)} MB before, ${Math.round(most / 1e6)} MB at the most ` +
    `under attack, ${Math.round(residentBytes(program.pid) / 1e6)} MB after; ${hashes.size === 1 ? `every run ${[...hashes]}` : `DIFFERENT ${[...hashes]}`}`,
)
if (hashes.size !== 1) faults.push('another set')
const { datasets } = await client.call('datasets.list', {})
const { runs } = await client.call('runs.list', {})
if (datasets.length !== 1 || runs.length !== 0) faults.push(`${datasets.length} datasets, ${runs.length} runs`)
const ended = new Promise((resolve) => program.once('exit', (code, signal) => resolve(code ?? signal)))
program.kill('SIGINT')
const exit = await inPatience(ended, PATIENCE_MS, 'hung')
if (exit !== 130 && exit !== 0) faults.push(`exit ${exit}`)
if (stderr !== '') faults.push(`on stderr: ${stderr.slice(0, 2000)}`)
const left = readdirSync(join(library, 'datasets')).concat(readdirSync(join(library, 'runs')))
if (left.length !== 1) faults.push(`left over: ${left}`)
if (readFileSync(join(library, 'library.sqlite')).length === 0) faults.push('no database')
for (const fault of faults.slice(0, 50)) console.log(fault)
console.log(`exit ${exit}, ${faults.length} faults`)
if (faults.length > 0) process.exitCode = 1
rmSync(folder, { recursive: true })
