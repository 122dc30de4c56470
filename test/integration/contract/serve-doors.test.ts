import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { MAX_MESSAGE_BYTES } from '../../../electron/contract/check.ts'
import type { Serving } from '../../../electron/host/serve-host.ts'
import { Workbench } from '../engine/workbench.ts'
import { ContractClient } from './contract-client.ts'
import { overSocket, served } from './hosts.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

let bench: Workbench
let serving: Serving
let url: URL
let client: ContractClient
let scratch: string
let cookie: string

/** Speaks HTTP as no browser would: any path, any Host, any Origin. */
function http(path: string, headers: Record<string, string> = {}, body?: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const asked = request({ host: '127.0.0.1', port: url.port, path, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Whether a socket opens; else the status that it is refused with. */
function knock(options: WebSocket.ClientOptions, protocols = ['anticlique'], path = '/socket'): Promise<string> {
  const socket = new WebSocket(`ws://${url.host}${path}`, protocols, options)
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.close()
      resolve('open')
    })
    socket.on('error', ({ message }) => resolve(/\d{3}/.exec(message)?.[0] ?? message))
  })
}

const mine = (extra: Record<string, string> = {}): Record<string, string> => ({ cookie, origin: url.origin, ...extra })

async function expectAlive(): Promise<void> {
  expect((await client.call('runs.list', {})).runs).toEqual([])
}

beforeAll(async () => {
  bench = new Workbench()
  scratch = join(bench.folder, 'scratch')
  serving = await served(bench.service, scratch)
  url = new URL(serving.url)
  client = new ContractClient(overSocket(serving))
  const entered = await http(url.pathname + url.search)
  cookie = entered.headers['set-cookie']![0]!.split(';')[0]!
})
afterAll(async () => {
  await serving.close()
  await bench.close()
  expect(existsSync(scratch)).toBe(false)
})

describe('who may come in', () => {
  test('it listens on this machine alone, and the link holds a token of its own', async () => {
    expect(url.hostname).toBe('127.0.0.1')
    expect(url.searchParams.get('token')).toMatch(/^[\w-]{43}$/)
    const other = await served(bench.service, `${scratch}-2`)
    expect(new URL(other.url).searchParams.get('token')).not.toBe(url.searchParams.get('token'))
    await other.close()
  })

  test('the token gives a cookie that no script reads and no other site sends, and leaves the address', async () => {
    const { status, headers } = await http(url.pathname + url.search)
    expect(status).toBe(303)
    expect(headers.location).toBe('/')
    expect(headers['set-cookie']![0]).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/)
    expect(headers['set-cookie']![0]).not.toContain(url.searchParams.get('token'))
    for (const token of ['', 'x', `${url.searchParams.get('token')}x`])
      expect((await http(`/?token=${token}`)).headers['set-cookie']).toBeUndefined()
  })

  test('a foreign Host is refused, whatever it asks for', async () => {
    for (const host of ['evil.example', `evil.example:${url.port}`, '127.0.0.1:1'])
      for (const path of ['/', `/${url.search}`, '/session'])
        expect((await http(path, { host, cookie })).status).toBe(403)
    expect((await http('/', { host: `LOCALHOST:${url.port}` })).status).toBe(200)
  })

  test('a socket needs the token or the cookie, and our own page', async () => {
    const token = `token.${url.searchParams.get('token')}`
    expect(await knock({})).toBe('403')
    expect(await knock({ origin: url.origin })).toBe('401')
    expect(await knock({}, ['anticlique', 'token.wrong'])).toBe('403')
    expect(await knock({ origin: url.origin }, ['anticlique', 'token.wrong'])).toBe('401')
    expect(await knock({ origin: 'http://evil.example', headers: { cookie } })).toBe('403')
    expect(await knock({ origin: 'http://evil.example' }, ['anticlique', token])).toBe('403')
    expect(await knock({ origin: 'null', headers: { cookie } })).toBe('403')
    expect(await knock({ headers: { cookie, host: 'evil.example' }, origin: url.origin })).toBe('403')
    expect(await knock({ headers: { cookie } }, undefined, '/other')).toBe('404')
    expect(await knock({ headers: { cookie }, origin: url.origin })).toBe('open')
    expect(await knock({}, ['anticlique', token])).toBe('open')
    await expectAlive()
  })
})

describe('what it shows', () => {
  test('the page, with a policy that allows nothing inline and nothing from elsewhere', async () => {
    const { status, headers, text } = await http('/')
    expect(status).toBe(200)
    expect(text).toContain('<div id="app">')
    const policy = headers['content-security-policy'] as string
    expect(policy).toMatch(/default-src 'none'/)
    expect(policy).not.toMatch(/unsafe|http|\*/)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  })

  test.each([
    '/../main/cli.js',
    '/..%2fmain/cli.js',
    '/%2e%2e/main/cli.js',
    '/assets/../../main/cli.js',
    '/..\\main\\cli.js',
    '/assets/%00',
    '/%ff',
    '//',
    '/etc/passwd',
    '/download/../../etc/passwd',
  ])('%s is not there', async (path) => {
    const { status, text } = await http(path, { cookie })
    expect([400, 404]).toContain(status)
    expect(text.length).toBeLessThan(200)
  })
})

describe('uploads', () => {
  const graph = '1 2\n2 3\n3 1\n'

  test('a file that a page sends is imported under its own name, and goes', async () => {
    const { status, text } = await http('/upload', mine({ 'x-file-name': encodeURIComponent('Straße.txt') }), graph)
    expect(status).toBe(200)
    const { source, name } = JSON.parse(text) as { source: string; name: string }
    expect(name).toBe('Straße.txt')
    expect((await client.call('datasets.preview', { source })).rows).toHaveLength(3)
    const { dataset } = await client.call('datasets.import', { source })
    expect(dataset).toMatchObject({ name: 'Straße', vertices: 3, report: { source: 'Straße.txt' } })
    expect(readdirSync(scratch)).toEqual([])
    await expect(client.call('datasets.import', { source })).rejects.toMatchObject({ code: 'input' })
  })

  test.each([
    ['without the cookie', { cookie: '' }, 401],
    ['from a foreign page', { origin: 'http://evil.example' }, 403],
    ['with a foreign Host', { host: 'evil.example' }, 403],
    ['with a size that no disk has', { 'content-length': String(2 ** 52) }, 507],
  ])('%s is refused', async (_words, headers, status) => {
    const answer = await http('/upload', mine(headers), graph).catch((error: Error) => error)
    if (!(answer instanceof Error)) expect(answer.status).toBe(status)
    else expect(answer.message).toMatch(/ECONNRESET|EPIPE|socket hang up/)
    await expectAlive()
  })

  test('a name is a name and no path', async () => {
    for (const name of ['../../evil.txt', '/etc/evil.txt', '..', 'C:\\evil.txt', '', '%00', '%']) {
      const fileName = name.startsWith('%') ? name : encodeURIComponent(name)
      const { text } = await http('/upload', mine({ 'x-file-name': fileName }), graph)
      const answer = JSON.parse(text) as { source: string; name: string }
      expect(answer.name).not.toMatch(/[/\\\p{Cc}]|^\.|^$/u)
      expect((await client.call('datasets.preview', { source: answer.source })).bytes).toBe(graph.length)
    }
    expect(existsSync(join(bench.folder, 'evil.txt'))).toBe(false)
  })

  test('a name of a hundred characters of any script fits, and keeps its extension', async () => {
    const fileName = encodeURIComponent(`${'名'.repeat(100)}.txt`)
    const { status, text } = await http('/upload', mine({ 'x-file-name': fileName }), graph)
    expect(status).toBe(200)
    const { name } = JSON.parse(text) as { name: string }
    expect(name).toMatch(/^名{50,}\.txt$/)
  })

  test('room is counted once for all that arrive together', async () => {
    const { bavail, bsize } = await statfs(bench.folder)
    const size = Math.floor(bavail * bsize * 0.6)
    // Announced, and not sent yet.
    const lines = ['POST /upload HTTP/1.1', `Host: ${url.host}`, `Origin: ${url.origin}`, `Cookie: ${cookie}`]
    const before = readdirSync(scratch).length
    const first = connect(Number(url.port), '127.0.0.1')
    first.write(`${[...lines, 'X-File-Name: a.txt', `Content-Length: ${size}`].join('\r\n')}\r\n\r\n1 2\n`)
    await expect.poll(() => readdirSync(scratch).length).toBe(before + 1)
    const second = await http('/upload', mine({ 'x-file-name': 'b.txt', 'content-length': String(size) }), graph).catch(
      (error: Error) => error,
    )
    if (second instanceof Error) expect(second.message).toMatch(/ECONNRESET|EPIPE|socket hang up/)
    else expect(second).toMatchObject({ status: 507, text: expect.stringMatching(/MiB of them for other uploads/) })
    first.destroy()
    await expect.poll(() => readdirSync(scratch).length).toBe(before)
    await expectAlive()
  })

  test('one that breaks off leaves nothing', async () => {
    const before = readdirSync(scratch)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(url.port), '127.0.0.1', () => {
        const lines = ['POST /upload HTTP/1.1', `Host: ${url.host}`, `Origin: ${url.origin}`, `Cookie: ${cookie}`]
        socket.write(`${[...lines, 'X-File-Name: half.txt', 'Content-Length: 1000'].join('\r\n')}\r\n\r\n1 2\n`)
        setTimeout(() => socket.destroy(), 50)
      })
      socket.on('close', () => resolve())
    })
    await expect.poll(() => readdirSync(scratch)).toEqual(before)
    await expectAlive()
  })
})

describe('who holds many connections', () => {
  const held: Socket[] = []
  /** Never ends its own half. */
  const hold = (first: string): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port: Number(url.port), host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {}).resume()
      socket.once('connect', () => socket.write(first, () => resolve()))
      held.push(socket)
    })
  /** Those that the other side has not forgotten: what is written to one that it has is answered with a reset. */
  const known = (): number => {
    for (const socket of held) if (!socket.closed) socket.write('x')
    return held.filter((socket) => !socket.closed).length
  }
  afterEach(() => held.splice(0).forEach((socket) => socket.destroy()))

  test.each([
    ['half a header', 'GET / HTTP/1.1\r\nX: '],
    ['an upgrade that is refused', 'GET /socket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
    ['nothing at all', ''],
  ])('with %s keeps nobody out', async (_words, first) => {
    for (let i = 0; i < 200; i++) await hold(first)
    // Those of before have gone; 32 of one client may stay.
    await expect.poll(known).toBeLessThanOrEqual(32)
    expect((await http('/session', { cookie })).status).toBe(204)
    expect(await knock({ headers: { cookie }, origin: url.origin })).toBe('open')
    // Who is in stays in.
    await expectAlive()
  })

  test('a header that does not come to its end is waited for a while only', async () => {
    const impatient = await served(bench.service, `${scratch}-3`, { headersMs: 200 })
    const { port } = new URL(impatient.url)
    for (const first of ['', 'GET / HTTP/1.1\r\nX: ']) {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(first))
      socket.on('error', () => {})
      await once(socket.resume(), 'close')
    }
    await impatient.close()
  })
})

test('a message over the limit ends its connection before it is read', async () => {
  const token = `token.${url.searchParams.get('token')}`
  const socket = new WebSocket(`ws://${url.host}/socket`, ['anticlique', token])
  await once(socket, 'open')
  // What is left out of the arguments would be small enough for the contract.
  socket.send(JSON.stringify({ id: 1, name: 'runs.list', args: {}, more: 'x'.repeat(MAX_MESSAGE_BYTES + (2 << 20)) }))
  // Without the limit it would be answered, or passed over in silence.
  const ended = once(socket, 'close').then(([code]) => code as number)
  const patience = new Promise((resolve) => setTimeout(resolve, 10_000, 'open'))
  expect(await Promise.race([ended, patience])).toBe(1009)
  await expectAlive()
})

test('a link to another address of this machine opens', async () => {
  const other = await served(bench.service, `${scratch}-4`, { host: '127.0.0.2' })
  expect(new URL(other.url).hostname).toBe('127.0.0.2')
  const answer = await fetch(other.url, { redirect: 'manual' })
  expect(answer.status).toBe(303)
  await other.close()
})

describe('downloads', () => {
  const asked = { what: 'text', fileName: 'sizes "1".csv', text: 'a,b\n1,2\n' } as const

  test('each address works once, for who has the cookie', async () => {
    const taken = await client.call('export.download', { request: asked })
    if (taken.how !== 'download') throw new Error('this is no window')
    const [{ url: path, bytes, fileName }] = taken.downloads as [(typeof taken.downloads)[number]]
    expect(fileName).toBe('sizes -1-.csv')
    expect((await http(path)).status).toBe(401)
    const got = await http(path, { cookie })
    expect(got).toMatchObject({ status: 200, text: asked.text })
    expect(got.headers).toMatchObject({ 'content-length': String(bytes), 'cache-control': 'no-store' })
    expect(got.headers['content-disposition']).toMatch(/^attachment; filename\*=UTF-8''/)
    expect((await http(path, { cookie })).status).toBe(404)
  })

  test('a graph leaves with the labels beside it', async () => {
    const request = { what: 'graph', dataset: 'Straße', format: 'matrix-market' } as const
    const taken = await client.call('export.download', { request })
    if (taken.how !== 'download') throw new Error('this is no window')
    for (const { url: path } of taken.downloads) expect((await http(path, { cookie })).status).toBe(200)
    expect(taken.downloads[0]!.fileName).toBe('Straße.mtx')
  })
})

describe('what a page may do on the machine', () => {
  test('it writes no file where it says', async () => {
    const output = join(bench.folder, 'written')
    const choice = { algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 0, verify: false } as const
    const request = { dataset: 'Straße', ...choice }
    for (const ask of [
      () => client.call('datasets.export', { name: 'Straße', format: 'metis', output }),
      () => client.call('export', { run: 'latest', format: 'ids', output }),
      () => client.call('runs.start', { request: { ...request, verify: false, traceFile: output } }),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'usage' })
    expect(existsSync(output)).toBe(false)
  })

  test('it has pairs checked as the command line has', async () => {
    const pairs = join(bench.folder, 'pairs.txt')
    const claim = { of: 'Straße', pairs, ties: 'id', weights: 'unit' } as const
    // Of a triangle whose edges weigh the same, the one between the larger ids comes first.
    for (const [line, verdict] of [
      ['2 3\n', { verified: true, size: 1, weight: 1 }],
      ['1 2\n', { verified: false, law: 'locally-dominant' }],
    ] as const) {
      writeFileSync(pairs, line)
      expect(await client.call('verify', claim)).toMatchObject({ set: pairs, verdict })
    }
  })

  test('it imports files of the machine, which stay', async () => {
    const source = join(bench.folder, 'here.txt')
    writeFileSync(source, '1 2\n')
    await client.call('datasets.import', { source })
    expect(readFileSync(source, 'utf8')).toBe('1 2\n')
    await expectAlive()
  })
})
